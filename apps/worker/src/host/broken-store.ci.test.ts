import { defineBrokenStoreTests } from "../test/broken-store.ts";

defineBrokenStoreTests("production");
