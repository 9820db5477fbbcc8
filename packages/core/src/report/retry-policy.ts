import {
  FencedOutError,
  PermanentReportError,
  RendererCrashError,
  ShutdownError,
  StoreUnavailableError,
  reportErrorCodes,
  type ReportErrorCode,
} from "../errors.ts";
import type { Report, ReportFailure } from "./record.ts";

/** What happens to a report whose attempt broke. */
export type Verdict =
  | { readonly kind: "stop" }
  | { readonly kind: "fail"; readonly failure: ReportFailure; readonly spendsFailure: boolean }
  | { readonly kind: "retry"; readonly delayMs: number; readonly spendsFailure: boolean };

const delaysSeconds = [10, 30, 60, 120] as const;
const jitter = 0.2;
/** For how long after its creation a report is tried again for causes that can pass. */
export const retryWindowMs = 6 * 60 * 60 * 1000;

/**
 * Judges a broken attempt. docs/contract.md §4.2: a crash or out-of-memory (and a bug, which may be the data's) spends one of the report's
 * failures; what can pass is tried again after 10, 30, 60, then 120 s ± 20 % until six hours after creation and spends nothing;
 * a shutdown hands back at once; everything permanent ends the report.
 * @param random gives numbers from 0 to 1, for the jitter.
 */
export function judgeFailure(
  error: unknown,
  report: Pick<Report, "attempt" | "failures" | "maxFailures" | "createdAt">,
  now: Date,
  random: () => number,
): Verdict {
  if (error instanceof FencedOutError) return { kind: "stop" };
  if (error instanceof ShutdownError) return { kind: "retry", delayMs: 0, spendsFailure: false };
  if (error instanceof PermanentReportError) return fail(error.code, error.message, false);
  if (error instanceof StoreUnavailableError) {
    if (now.getTime() - report.createdAt.getTime() < retryWindowMs) return retry(report.attempt, random, false);
    return fail(
      "DEPENDENCY_UNAVAILABLE",
      "The database or file store was unavailable for too long. Start the report again.",
      false,
    );
  }
  if (report.failures + 1 < report.maxFailures) return retry(report.attempt, random, true);
  if (error instanceof RendererCrashError) {
    const how = error.code === "OUT_OF_MEMORY" ? "ran out of memory" : "crashed";
    return fail(
      error.code,
      `Rendering ${how} ${report.maxFailures} times. Ask for fewer rows or another format.`,
      true,
    );
  }
  return fail(
    "INTERNAL",
    `The report failed ${report.maxFailures} times because of an internal error. Quote its id to the operators.`,
    true,
  );
}

function retry(attempt: number, random: () => number, spendsFailure: boolean): Verdict {
  const seconds = delaysSeconds[Math.min(Math.max(attempt, 1), delaysSeconds.length) - 1]!;
  const factor = 1 - jitter + 2 * jitter * random();
  return { kind: "retry", delayMs: Math.round(seconds * 1000 * factor), spendsFailure };
}

function fail(code: ReportErrorCode, detail: string, spendsFailure: boolean): Verdict {
  return { kind: "fail", failure: { code, detail, retryable: reportErrorCodes[code].retryable }, spendsFailure };
}
