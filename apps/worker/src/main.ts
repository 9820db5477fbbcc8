import { runMain } from "@reports/runtime";
import { runWorker } from "./run-worker.ts";

await runMain(() => runWorker(process.env));
