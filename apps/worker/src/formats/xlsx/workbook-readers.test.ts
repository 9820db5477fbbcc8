import { testWorkbookReaders } from "./read-workbooks.fixture.ts";

testWorkbookReaders("test-process");
