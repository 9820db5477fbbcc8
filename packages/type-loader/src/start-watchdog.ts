import { Worker } from "node:worker_threads";

const watchdogProgram = `
  const { workerData: { lifetimeMs, maxRssBytes } } = require("node:worker_threads");
  const end = () => process.kill(process.pid, "SIGKILL");
  setTimeout(end, lifetimeMs);
  if (maxRssBytes !== null) setInterval(() => { if (process.memoryUsage.rss() > maxRssBytes) end(); }, 100);
`;

/** Starts a thread that ends this process after its lifetime, or above its memory limit. It does so even if the process loops and its parent has died. */
export function startWatchdog(lifetimeMs: number, maxRssBytes: number | null = null): void {
  new Worker(watchdogProgram, { eval: true, workerData: { lifetimeMs, maxRssBytes } }).unref();
}
