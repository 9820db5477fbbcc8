import { declareWorkbookReaderTests } from "./read-workbooks.fixture.ts";

declareWorkbookReaderTests("test-process");
