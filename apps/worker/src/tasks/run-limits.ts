import { deadAfterMs, type RunLimits } from "@reports/core";
import type { WorkerConfig } from "../config.ts";

/** The limits of one attempt. */
export function runLimitsOf(config: WorkerConfig, heartbeatGraceMs: number): RunLimits {
  return {
    runTimeLimitMs: config.runTimeLimitMinutes * 60_000,
    maxSpoolBytes: config.spoolMaxBytes,
    retentionMs: config.retentionDays * 86_400_000,
    leaseMs: deadAfterMs,
    // Faster than life needs it: this is also how soon a cancel is noticed.
    heartbeatMs: 1_000,
    heartbeatGraceMs,
  };
}
