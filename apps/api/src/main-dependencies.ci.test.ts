import { testLostDependencies } from "./test/lost-dependencies.ts";

testLostDependencies({});
