import { testWorkerDeaths } from "./test/worker-deaths.ts";

testWorkerDeaths("production");
