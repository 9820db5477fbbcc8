import { defineWorkerDeathTests } from "./test/worker-deaths.ts";

defineWorkerDeathTests("production");
