import { hostname } from "node:os";
import type { WorkerIdentity } from "@reports/core";
import { fingerprintOf } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";
import { readVersion } from "../read-version.ts";

/** Says what this worker is, for its heartbeat. `unique` tells it from every other process of this host and process id. */
export function describeWorker(
  { lanes, webhookKeys }: Pick<WorkerConfig, "lanes" | "webhookKeys">,
  unique: string,
): Omit<WorkerIdentity, "servedTypes"> {
  const [host, pid] = [hostname(), process.pid];
  return {
    workerId: `${host}:${pid}:${unique}`,
    host,
    pid,
    version: readVersion(),
    lanes,
    webhookKeys: webhookKeys?.reveal().map(fingerprintOf) ?? [],
  };
}
