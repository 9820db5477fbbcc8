import {
  FencedOutError,
  HostFailureError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  DatabaseLimitError,
  StoreUnavailableError,
} from "../../base/errors.ts";
import { reportErrorCodes, type ReportErrorCode, type RequeueCause } from "../../base/vocabulary.ts";
import { sanitiseUntrustedText } from "../../base/foreign-text.ts";
import { computeRequeueDelayMs, notServedFailure } from "./refusal.ts";
import type { RequeueHistory } from "../lifecycle/requeue-history.ts";
import type { Report, ReportFailure } from "../lifecycle/report-record.ts";
import { computeRetryDelayMs, reportRetryWindowMs, type RetryPace } from "./retry-delay.ts";

export type FailureVerdict =
  | { readonly kind: "stop" }
  | { readonly kind: "fail"; readonly failure: ReportFailure; readonly spendsFailure: boolean }
  | { readonly kind: "retry"; readonly delayMs: number; readonly spendsFailure: boolean }
  | { readonly kind: "requeue"; readonly delayMs: number; readonly because: RequeueCause };

export interface FailedAttempt extends Pick<
  Report,
  "reportType" | "attempt" | "failures" | "maxFailures" | "createdAt"
> {
  readonly requeues: RequeueHistory;
}

/**
 * Decides what follows a failed attempt. docs/reference/resources/reports.md#attempts-and-failures. A crash, lack of memory, a bug or a database
 * limit counts as a failure. A temporary cause is retried after 10, 30, 60, then 120 s ± 20 %, until six hours after the creation. A report that this
 * worker cannot run is requeued until six hours after its first requeue. A shutdown requeues immediately. A permanent error ends the report.
 */
export function evaluateFailure(error: unknown, report: FailedAttempt, now: Date, pace: RetryPace): FailureVerdict {
  if (error instanceof FencedOutError) return { kind: "stop" };
  if (error instanceof ShutdownError) return { kind: "retry", delayMs: 0, spendsFailure: false };
  if (error instanceof PermanentReportError) {
    const isElsewhere = error.code === "SPOOL_LIMIT_EXCEEDED" && report.requeues.isServedElsewhere;
    return isElsewhere
      ? requeueVerdict("SPOOL_TOO_SMALL", report, pace)
      : failVerdict(error.code, error.message, false);
  }
  if (error instanceof ReportNotServedError) return requeueVerdict(error.because, report, pace);
  if (error instanceof HostFailureError) {
    // The delay is short, because another worker can run the report. This worker claims no report while its host is broken.
    return requeueVerdict("WORKER_IMPAIRED", report, pace, true);
  }
  if (error instanceof StoreUnavailableError) {
    if (now.getTime() - report.createdAt.getTime() < reportRetryWindowMs)
      return retryVerdict(report.attempt, pace, false);
    return failVerdict(
      "DEPENDENCY_UNAVAILABLE",
      "The database or file store was unavailable for too long. Start the report again.",
      false,
    );
  }
  if (report.failures + 1 < report.maxFailures) return retryVerdict(report.attempt, pace, true);
  if (error instanceof RendererCrashError) {
    const how = error.code === "OUT_OF_MEMORY" ? "ran out of memory" : "crashed";
    return failVerdict(
      error.code,
      `Rendering ${how} ${report.maxFailures} times. Ask for fewer rows or another format.`,
      true,
    );
  }
  if (error instanceof DatabaseLimitError)
    return failVerdict(
      "DEPENDENCY_UNAVAILABLE",
      `The database ended the report ${report.maxFailures} times. ${error.message}`,
      true,
    );
  return failVerdict(
    "INTERNAL",
    `The report failed ${report.maxFailures} times because of an internal error. Quote its id to the operators.`,
    true,
  );
}

function requeueVerdict(
  because: RequeueCause,
  report: FailedAttempt,
  pace: RetryPace,
  isServedElsewhere = report.requeues.isServedElsewhere,
): FailureVerdict {
  const delayMs = computeRequeueDelayMs({ ...report.requeues, isServedElsewhere }, pace);
  if (delayMs !== null) return { kind: "requeue", delayMs, because };
  return { kind: "fail", failure: notServedFailure(because, report), spendsFailure: false };
}

function retryVerdict(attempt: number, pace: RetryPace, spendsFailure: boolean): FailureVerdict {
  return { kind: "retry", delayMs: computeRetryDelayMs(attempt, pace), spendsFailure };
}

function failVerdict(code: ReportErrorCode, detail: string, spendsFailure: boolean): FailureVerdict {
  const { retryable } = reportErrorCodes[code];
  return { kind: "fail", failure: { code, detail: sanitiseUntrustedText(detail), retryable }, spendsFailure };
}
