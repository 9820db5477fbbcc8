import { testWorkerDeaths } from "./test/worker-deaths.ts";
import { fastClocks } from "./test/worker-process.ts";

testWorkerDeaths(fastClocks);
