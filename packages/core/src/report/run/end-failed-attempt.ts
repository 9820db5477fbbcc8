import { ExpectedError, PermanentReportError } from "../../base/errors.ts";
import { readThrownMessage } from "../../base/foreign-text.ts";
import type { RequeueHistory } from "../lifecycle/requeue-history.ts";
import { chooseNextAttemptLane, type FailureHistory } from "../lifecycle/lane.ts";
import type { RequeueCause } from "../../base/vocabulary.ts";
import type { Report } from "../lifecycle/report-record.ts";
import { evaluateFailure, type FailureVerdict } from "./retry-policy.ts";
import type { RunDeps } from "./run-deps.ts";

/** The outcome of one call of runReport. */
export type RunOutcome =
  | { readonly kind: "closed" }
  /** Another attempt holds the lease. This job can end: if that attempt is lost, the rescuer creates a new job. */
  | { readonly kind: "held" }
  | { readonly kind: "succeeded"; readonly report: Report }
  | { readonly kind: "failed"; readonly report: Report; readonly cause: unknown }
  | { readonly kind: "requeued"; readonly report: Report; readonly cause: unknown; readonly delayMs: number }
  | {
      readonly kind: "handed-back";
      readonly report: Report;
      readonly because: RequeueCause;
      readonly message: string;
      readonly delayMs: number;
    };

interface BrokenAttempt {
  readonly report: Report;
  readonly past: FailureHistory;
  readonly requeues: RequeueHistory;
}

type EndDeps = Pick<RunDeps, "reports" | "host" | "workerId" | "clock" | "retryPace">;

const unwritableFailure = {
  code: "INTERNAL",
  detail: "The report failed, and the reason could not be stored. Quote its id to the operators.",
  retryable: true,
  spendsFailure: true,
} as const;

/**
 * Decides what follows a failed attempt and writes it. If Postgres refuses the failure's text, the report ends with a fixed text, because it would
 * otherwise run forever. Rejects with FencedOutError and StoreUnavailableError.
 */
export async function endFailedAttempt(deps: EndDeps, broken: BrokenAttempt, cause: unknown): Promise<RunOutcome> {
  const { report } = broken;
  const requeues = { ...broken.requeues, isServedElsewhere: await isLargerSpoolElsewhere(deps, report, cause) };
  const verdict = evaluateFailure(cause, { ...report, requeues }, deps.clock(), deps.retryPace);
  try {
    return await writeVerdict(deps, broken, verdict, cause);
  } catch (error) {
    if (error === cause || error instanceof ExpectedError) throw error;
    return {
      kind: "failed",
      cause: new AggregateError([cause, error], "The failure of the report could not be stored."),
      report: await deps.reports.fail(report.id, report.attempt, unwritableFailure),
    };
  }
}

async function isLargerSpoolElsewhere(deps: EndDeps, report: Report, cause: unknown): Promise<boolean> {
  if (!(cause instanceof PermanentReportError) || cause.code !== "SPOOL_LIMIT_EXCEEDED") return false;
  return deps.reports.isServedElsewhere(report.id, { workerId: deps.workerId, spoolBytes: deps.host.spoolBytes() });
}

async function writeVerdict(
  deps: EndDeps,
  { report, past }: BrokenAttempt,
  verdict: FailureVerdict,
  cause: unknown,
): Promise<RunOutcome> {
  switch (verdict.kind) {
    case "stop":
      throw cause;
    case "fail": {
      const { failure, spendsFailure } = verdict;
      return {
        kind: "failed",
        cause,
        report: await deps.reports.fail(report.id, report.attempt, { ...failure, spendsFailure }),
      };
    }
    case "retry": {
      const { delayMs, spendsFailure } = verdict;
      const lane = chooseNextAttemptLane({ ...past, failures: past.failures + (spendsFailure ? 1 : 0) });
      return {
        kind: "requeued",
        cause,
        delayMs,
        report: await deps.reports.requeue(report.id, report.attempt, { delayMs, spendsFailure, lane }),
      };
    }
    case "requeue": {
      const { delayMs, because } = verdict;
      const exceeded = because === "SPOOL_TOO_SMALL" ? { spoolExceededBytes: deps.host.spoolBytes() } : {};
      const retry = { delayMs, because, spendsFailure: false, lane: past.lane, ...exceeded };
      return {
        kind: "handed-back",
        because,
        message: readThrownMessage(cause),
        delayMs,
        report: await deps.reports.requeue(report.id, report.attempt, retry),
      };
    }
  }
}
