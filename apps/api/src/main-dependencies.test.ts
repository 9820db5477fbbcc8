import { testLostDependencies } from "./test/lost-dependencies.ts";

testLostDependencies({ storeMs: 1_000 });
