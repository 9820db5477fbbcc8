import { runMain } from "@reports/runtime";
import type { WorkerClocks } from "../clocks.ts";
import { runWorker } from "../run-worker.ts";

// A worker's process with the clocks of its first argument, as JSON. No deployment can choose clocks.
const clocks = JSON.parse(process.argv[2]!) as WorkerClocks;
await runMain(() => runWorker(process.env, { clocks: () => clocks }));
