import { testWorkbookReaders } from "./read-workbooks.fixture.ts";

testWorkbookReaders("other-process");
