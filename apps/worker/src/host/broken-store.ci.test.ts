import { testBrokenStore } from "../test/broken-store.ts";

testBrokenStore("production");
