import type { ReportProgress } from "@reports/client";

/** The progress of a report at one time. `at` is a time of the browser's clock in milliseconds. */
export interface ProgressSample extends Pick<ReportProgress, "phase" | "rowsDone" | "percent"> {
  readonly at: number;
}

export interface ProgressEstimate {
  readonly rowsPerSecond: number | null;
  readonly msLeft: number | null;
}

/** If less time passed between two samples, no estimate is made, because it would be inexact. */
const minElapsedMs = 1_000;

/** Estimates speed and remaining time from two samples. Both must be of the same phase and attempt, otherwise the estimates are null. */
export function estimateProgress(first: ProgressSample, last: ProgressSample): ProgressEstimate {
  const elapsedMs = last.at - first.at;
  if (elapsedMs < minElapsedMs || !isSamePhase(first, last)) return { rowsPerSecond: null, msLeft: null };
  const rows = last.rowsDone - first.rowsDone;
  const percents = (last.percent ?? 0) - (first.percent ?? 0);
  return {
    rowsPerSecond: rows > 0 ? Math.round((rows * 1_000) / elapsedMs) : null,
    msLeft: last.percent !== null && percents > 0 ? ((100 - last.percent) * elapsedMs) / percents : null,
  };
}

/** Reports whether the second sample continues the first one. A smaller number of rows means that a new attempt has begun. */
export function isSamePhase(first: ProgressSample, last: ProgressSample): boolean {
  return first.phase === last.phase && first.rowsDone <= last.rowsDone;
}
