import { reportErrorCodes, type ReportErrorCode, type ReportLane } from "../../base/vocabulary.ts";
import { chooseNextAttemptLane, type FailureHistory } from "../lifecycle/lane.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report, ReportFailure } from "../lifecycle/report-record.ts";
import { reportRetryWindowMs } from "./retry-delay.ts";

/** An attempt that did not end, because its worker died, froze or lost its connection to the database. */
export interface LostAttempt extends FailureHistory, Pick<Report, "id" | "attempt" | "createdAt"> {
  readonly byDeploy: boolean;
}

export type LossVerdict =
  | { readonly kind: "requeue"; readonly lane: ReportLane; readonly losses: number; readonly spendsFailure: boolean }
  | { readonly kind: "fail"; readonly failure: ReportFailure; readonly spendsFailure: boolean };

/**
 * Decides what follows a lost attempt. A worker that dies loses all its reports, but only one can be the cause. So such a loss is counted, but not as
 * a failure. After two losses, the report is quarantined and runs alone; each further loss then counts as a failure. So a poison pill fails in the
 * end, and other reports do not. Losses during deployments are not counted.
 */
export function evaluateLoss(lost: LostAttempt, now: Date): LossVerdict {
  const wasAlone = lost.lane === "suspect" && !lost.byDeploy;
  if (wasAlone && lost.failures + 1 >= lost.maxFailures) {
    return failVerdict(
      "RENDERER_CRASHED",
      "The report repeatedly crashed the process that rendered it, even when it ran alone.",
      true,
    );
  }
  if (now.getTime() - lost.createdAt.getTime() >= reportRetryWindowMs) {
    return failVerdict("DEPENDENCY_UNAVAILABLE", "The report was interrupted for too long. Start it again.", false);
  }
  const losses = lost.losses + (lost.byDeploy || wasAlone ? 0 : 1);
  const failures = lost.failures + (wasAlone ? 1 : 0);
  return {
    kind: "requeue",
    lane: chooseNextAttemptLane({ ...lost, failures, losses }),
    losses,
    spendsFailure: wasAlone,
  };
}

function failVerdict(code: ReportErrorCode, detail: string, spendsFailure: boolean): LossVerdict {
  return { kind: "fail", failure: { code, detail, retryable: reportErrorCodes[code].retryable }, spendsFailure };
}

interface RescueLimits {
  /** A pool that locks jobs counts as dead if its worker has sent no heartbeat for this long. */
  readonly deadAfterMs: number;
  /** Rescued reports return to the queue at random times within this period. Otherwise, all of them could run next to the same poison pill again. */
  readonly maxBackoffMs: number;
  readonly joblessAfterMs: number;
}

export interface RescueOutcome {
  readonly requeued: readonly string[];
  readonly failed: readonly (Pick<Report, "id" | "reportType"> & { readonly options: Pick<ReportOptions, "format"> })[];
  readonly jobless: readonly string[];
  readonly unlockedPools: number;
  readonly unlockedJobs: number;
  readonly removedJobs: number;
}

export interface LostAttemptRescuer {
  /** Handles lost attempts and orphaned jobs in one transaction. Returns null while another worker does so. Rejects with StoreUnavailableError. */
  rescue(evaluate: (lost: LostAttempt, now: Date) => LossVerdict, limits: RescueLimits): Promise<RescueOutcome | null>;
}
