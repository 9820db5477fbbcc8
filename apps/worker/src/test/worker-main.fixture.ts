import { runMain } from "@reports/runtime";
import type { WorkerTimings } from "../clocks.ts";
import { runWorker } from "../run-worker.ts";

// This program is a worker whose clocks are its first argument, as JSON. No deployment can change the clocks of main.ts.
const clocks = JSON.parse(process.argv[2]!) as WorkerTimings;
await runMain(() => runWorker(process.env, { clocks: () => clocks }));
