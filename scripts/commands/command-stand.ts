import { once } from "node:events";
import { CommandExitError, formatInventoryCounts } from "@reports/commands";
import { startStand, createDemoDataLoader, type ProcessEnvironment, type Stand } from "@reports/testing";

interface DemoDataStandOptions {
  readonly proxies: number;
  readonly domains: number;
  readonly apis?: number;
  readonly workers?: number;
  readonly environment?: ProcessEnvironment;
}

export function printToStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Returns a function that prints a sentence with the seconds since this call. */
export function createTimedPrinter(): (sentence: string) => void {
  const startedAt = performance.now();
  return (sentence) => printToStderr(`${sentence} (${Math.round((performance.now() - startedAt) / 1_000)} s)`);
}

export async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw new CommandExitError("Interrupted.");
}

export async function startDemoDataStand(options: DemoDataStandOptions): Promise<Stand> {
  const { proxies, domains, environment, ...counts } = options;
  // A signal ends Node without its exit handlers, which end the processes of the stand. `process.exit` runs them.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  printToStderr(`Starting the service on ${formatInventoryCounts({ proxies, domains })}.`);
  return startStand({
    database: {
      prepare: createDemoDataLoader({ proxies, domains }),
      settings: { shared_buffers: "256MB", max_wal_size: "4GB" },
    },
    store: "folder",
    ...counts,
    environment: { LOG_LEVEL: "warn", ...environment },
    onLine: (name, line) => {
      if (!line.includes('"audit":true')) printToStderr(`${name}: ${line}`);
    },
  });
}
