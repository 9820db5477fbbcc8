import { hostname } from "node:os";
import type { WorkerIdentity } from "@reports/core/report";
import { fingerprintOf } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";
import { readVersion } from "../read-version.ts";

export function createWorkerIdentity(
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
