import type { RunLimits } from "@reports/core/report";
import type { WorkerTimings } from "../clocks.ts";
import type { WorkerConfig } from "../config.ts";

export function selectRunLimits(config: WorkerConfig, life: WorkerTimings["life"]): RunLimits {
  return {
    runTimeLimitMs: config.runTimeLimitMinutes * 60_000,
    maxSpoolBytes: config.spoolMaxBytes,
    retentionMs: config.retentionDays * 86_400_000,
    leaseMs: life.deadAfterMs,
    heartbeatMs: life.attemptHeartbeatMs,
    heartbeatGraceMs: life.graceMs,
  };
}
