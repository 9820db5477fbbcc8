import { Worker } from "node:worker_threads";

const watchdogProgram = `
  const { workerData: { lifetimeMs, maxRssBytes } } = require("node:worker_threads");
  const end = () => process.kill(process.pid, "SIGKILL");
  setTimeout(end, lifetimeMs);
  if (maxRssBytes !== null) setInterval(() => { if (process.memoryUsage.rss() > maxRssBytes) end(); }, 100);
`;

/**
 * Starts a thread that ends this process after `lifetimeMs`, or above `maxRssBytes` of memory. It does so even if the main thread loops and the
 * parent has died.
 */
export function startProcessWatchdog(lifetimeMs: number, maxRssBytes: number | null = null): void {
  new Worker(watchdogProgram, { eval: true, workerData: { lifetimeMs, maxRssBytes } }).unref();
}
