import { declarePdfReaderTests } from "./read-pdf-files.fixture.ts";

declarePdfReaderTests("other");
