import { Worker } from "node:worker_threads";

const lookMs = 1_000;
// As text: it needs nothing of this program, and starts in a few milliseconds.
const watch = `
const { workerData } = require("node:worker_threads");
setInterval(() => {
  if (process.ppid !== workerData.parent) process.kill(process.pid, "SIGKILL");
}, workerData.lookMs);
`;

/**
 * Ends this process within a second of its parent's death, whatever it does: an endless loop never hears that the channel is closed
 * and would take a processor for ever. Watches from a thread of its own, because only that still runs then.
 */
export function endWithParent(): void {
  const watcher = new Worker(watch, {
    eval: true,
    execArgv: [],
    workerData: { parent: process.ppid, lookMs },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  watcher.unref();
}
