import { FencedOutError, StoreUnavailableError } from "../../base/errors.ts";
import { advanceProgress, initialProgress } from "./progress.ts";
import type { Report, ReportProgress } from "../lifecycle/report-record.ts";
import type { RunDeps } from "./run-deps.ts";
import { runTimeExceededError } from "./run-time-limit.ts";

export interface AttemptHeartbeat extends AsyncDisposable {
  /** Aborts if the caller aborts, the run-time limit is reached, the lease is lost or the database does not respond. */
  readonly signal: AbortSignal;
  advance(seen: Parameters<typeof advanceProgress>[1]): void;
}

/** Starts the heartbeat of an attempt, which renews the lease and writes progress until disposal. Aborts the attempt if it loses its report. */
export function startAttemptHeartbeat(
  deps: Pick<RunDeps, "reports" | "limits">,
  report: Pick<Report, "id" | "attempt">,
  parent: AbortSignal,
): AttemptHeartbeat {
  const { limits } = deps;
  const controller = new AbortController();
  const signal = AbortSignal.any([parent, controller.signal]);
  const limit = setTimeout(() => controller.abort(runTimeExceededError(limits.runTimeLimitMs)), limits.runTimeLimitMs);

  let progress: ReportProgress = initialProgress;
  let written: ReportProgress = initialProgress;
  let lastHeartbeatAt = performance.now();
  const heartbeat = async (): Promise<void> => {
    const next = progress;
    try {
      const owns = await deps.reports.heartbeat(report.id, report.attempt, {
        leaseMs: limits.leaseMs,
        ...(next === written ? {} : { progress: next }),
      });
      if (!owns) controller.abort(new FencedOutError(report.id, report.attempt));
      written = next;
      lastHeartbeatAt = performance.now();
    } catch (error) {
      if (performance.now() - lastHeartbeatAt > limits.heartbeatGraceMs) {
        controller.abort(
          new StoreUnavailableError("The report's lease could not be renewed in time.", { cause: error }),
        );
      }
    }
  };

  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    // At most one heartbeat is in progress. While a heartbeat hangs, only this branch notices the end of the grace period.
    if (running === null) running = heartbeat().finally(() => (running = null));
    else if (performance.now() - lastHeartbeatAt > limits.heartbeatGraceMs) {
      controller.abort(new StoreUnavailableError("The report's lease could not be renewed in time."));
    }
  }, limits.heartbeatMs);

  return {
    signal,
    advance: (seen) => {
      progress = advanceProgress(progress, seen);
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(limit);
      clearInterval(timer);
      await running;
    },
  };
}
