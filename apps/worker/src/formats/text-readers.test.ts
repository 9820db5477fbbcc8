import { declareTextReaderTests } from "./read-text-files.fixture.ts";

declareTextReaderTests("own");
