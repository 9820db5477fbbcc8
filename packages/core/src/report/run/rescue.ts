import { reportErrorCodes, type ReportErrorCode, type ReportLane } from "../../base/vocabulary.ts";
import { nextLane, type ReportHistory } from "../lifecycle/lane.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report, ReportFailure } from "../lifecycle/report-record.ts";
import { retryWindowMs } from "./retry-delay.ts";

/** An attempt without an end: its worker died, froze or lost the database. */
export interface LostAttempt extends ReportHistory, Pick<Report, "id" | "attempt" | "createdAt"> {
  /** The worker was stopping: a deployment, and nobody's fault. */
  readonly byDeploy: boolean;
}

/** A loss spends a failure only if the report ran alone. */
export type LossVerdict =
  | { readonly kind: "requeue"; readonly lane: ReportLane; readonly losses: number; readonly spendsFailure: boolean }
  | { readonly kind: "fail"; readonly failure: ReportFailure; readonly spendsFailure: boolean };

/**
 * Judges a lost attempt. A dying worker loses all its reports, and only one can be the cause: a loss in company counts but spends no failure. After two of them
 * the report runs alone, and the next loss spends a failure like a crash. So a poison pill ends, and no other report fails because of it. Deployments do not
 * count.
 */
export function evaluateLoss(lost: LostAttempt, now: Date): LossVerdict {
  const wasAlone = lost.lane === "suspect" && !lost.byDeploy;
  if (wasAlone && lost.failures + 1 >= lost.maxFailures) {
    return fail(
      "RENDERER_CRASHED",
      "The report repeatedly crashed the process that rendered it, even when it ran alone.",
      true,
    );
  }
  if (now.getTime() - lost.createdAt.getTime() >= retryWindowMs) {
    return fail("DEPENDENCY_UNAVAILABLE", "The report was interrupted for too long. Start it again.", false);
  }
  const losses = lost.losses + (lost.byDeploy || wasAlone ? 0 : 1);
  const failures = lost.failures + (wasAlone ? 1 : 0);
  return { kind: "requeue", lane: nextLane({ ...lost, failures, losses }), losses, spendsFailure: wasAlone };
}

function fail(code: ReportErrorCode, detail: string, spendsFailure: boolean): LossVerdict {
  return { kind: "fail", failure: { code, detail, retryable: reportErrorCodes[code].retryable }, spendsFailure };
}

export interface RescueLimits {
  /** A pool without a heartbeat for this long is dead. */
  readonly deadAfterMs: number;
  /** Rescued reports return within this time, so that they do not all meet the same poison pill again. */
  readonly maxBackoffMs: number;
  /** How long a queued report may have no job. */
  readonly joblessAfterMs: number;
}

export interface RescueOutcome {
  readonly requeued: readonly string[];
  readonly failed: readonly (Pick<Report, "id" | "reportType"> & { readonly options: Pick<ReportOptions, "format"> })[];
  /** Queued reports without a job. */
  readonly jobless: readonly string[];
  readonly unlockedPools: number;
  /** Jobs of running workers that do not know them. */
  readonly unlockedJobs: number;
  readonly removedJobs: number;
}

export interface Rescuer {
  /** Handles all workers' orphaned jobs in one transaction; null while another worker does. Rejects with StoreUnavailableError. */
  rescue(evaluate: (lost: LostAttempt, now: Date) => LossVerdict, limits: RescueLimits): Promise<RescueOutcome | null>;
}
