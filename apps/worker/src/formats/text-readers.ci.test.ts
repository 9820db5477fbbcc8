import { testTextReaders } from "./read-text-files.fixture.ts";

testTextReaders("other");
