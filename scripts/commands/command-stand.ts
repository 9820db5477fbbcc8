import { once } from "node:events";
import { CommandFailure, describeInventory } from "@reports/commands";
import { startStand, withDemoData, type Environment, type Stand } from "@reports/testing";

interface DemoDataStandOptions {
  readonly proxies: number;
  readonly domains: number;
  readonly apis?: number;
  readonly workers?: number;
  readonly environment?: Environment;
}

export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

export async function rejectOnAbort(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, "abort");
  throw new CommandFailure("Interrupted.");
}

export async function startDemoDataStand({
  proxies,
  domains,
  environment,
  ...counts
}: DemoDataStandOptions): Promise<Stand> {
  // A signal ends Node without its exit handlers, which end the processes of the stand. `process.exit` runs them.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  say(`Starting the service on ${describeInventory({ proxies, domains })}.`);
  return startStand({
    database: {
      prepare: withDemoData({ proxies, domains }),
      settings: { shared_buffers: "256MB", max_wal_size: "4GB" },
    },
    store: "folder",
    ...counts,
    environment: { LOG_LEVEL: "warn", ...environment },
    onLine: (name, line) => {
      if (!line.includes('"audit":true')) say(`${name}: ${line}`);
    },
  });
}
