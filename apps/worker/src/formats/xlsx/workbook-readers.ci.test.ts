import { declareWorkbookReaderTests } from "./read-workbooks.fixture.ts";

declareWorkbookReaderTests("other-process");
