import { testPdfReaders } from "./read-pdf-files.fixture.ts";

testPdfReaders("other");
