import { reportErrorCodes, type ReportErrorCode, type ReportLane } from "../../base/vocabulary.ts";
import { nextLane, type ReportPast } from "../lifecycle/lane.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report, ReportFailure } from "../lifecycle/report-record.ts";
import { retryWindowMs } from "./retry-delay.ts";

/** An attempt that ended without a word: its worker died, froze or lost the database. */
export interface LostAttempt extends ReportPast, Pick<Report, "id" | "attempt" | "createdAt"> {
  /** Whether the worker had been told to stop: then it was a deploy, and nobody is to blame. */
  readonly byDeploy: boolean;
}

/** What becomes of it. A loss that spends a failure was made alone, so that it is the report's own doing. */
export type LossVerdict =
  | { readonly kind: "requeue"; readonly lane: ReportLane; readonly losses: number; readonly spendsFailure: boolean }
  | { readonly kind: "fail"; readonly failure: ReportFailure; readonly spendsFailure: boolean };

/**
 * Judges a lost attempt. A worker takes all of its reports along when it dies, and only one of them can have been the cause: a loss
 * in company is counted, but spends no failure. After two of them the report runs alone; who dies with it then dies of it, and that
 * spends a failure like a crash. So a poison pill ends, and a report that ran beside it never fails because of it. What a deployment interrupts does not count.
 */
export function judgeLoss(lost: LostAttempt, now: Date): LossVerdict {
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

/** Times of a rescue. */
export interface RescueLimits {
  /** A pool without a heartbeat for this long is dead. */
  readonly deadAfterMs: number;
  /** Rescued reports come back after up to this long: all at once they would meet the same poison again. */
  readonly maxBackoffMs: number;
  /** How long a waiting report may be without a job before it is given one. */
  readonly joblessAfterMs: number;
}

/** What a pass found and did. */
export interface RescueOutcome {
  readonly requeued: readonly string[];
  readonly failed: readonly (Pick<Report, "id" | "reportType"> & { readonly options: Pick<ReportOptions, "format"> })[];
  /** Reports that waited without a job. */
  readonly jobless: readonly string[];
  /** Pools whose jobs were freed. */
  readonly unlockedPools: number;
  /** Jobs of living workers that do not know of them. */
  readonly unlockedJobs: number;
  readonly removedJobs: number;
}

/** Recovers the orphaned jobs of dead workers. */
export interface Rescuer {
  /**
   * One pass over the orphaned jobs of all workers, in one transaction; null while another worker makes one. Rejects with StoreUnavailableError.
   */
  rescue(judge: (lost: LostAttempt, now: Date) => LossVerdict, limits: RescueLimits): Promise<RescueOutcome | null>;
}
