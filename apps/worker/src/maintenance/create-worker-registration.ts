import { hostname } from "node:os";
import type { WorkerRegistration } from "@reports/core/report";
import { keyFingerprintOf } from "@reports/runtime";
import type { WorkerConfig } from "../config.ts";
import { readWorkerVersion } from "../read-worker-version.ts";

export function createWorkerRegistration(
  { lanes, webhookKeys }: Pick<WorkerConfig, "lanes" | "webhookKeys">,
  unique: string,
): Omit<WorkerRegistration, "servedTypes"> {
  const [host, pid] = [hostname(), process.pid];
  return {
    workerId: `${host}:${pid}:${unique}`,
    host,
    pid,
    version: readWorkerVersion(),
    lanes,
    webhookKeys: webhookKeys?.reveal().map(keyFingerprintOf) ?? [],
  };
}
