import { defineWorkerDeathTests } from "./test/worker-deaths.ts";
import { fastClocks } from "./test/worker-process.ts";

defineWorkerDeathTests(fastClocks);
