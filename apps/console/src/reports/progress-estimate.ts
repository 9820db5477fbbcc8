import type { ReportProgress } from "@reports/client";

/** The progress at a time of the browser's clock, in milliseconds. */
export interface ProgressSample extends Pick<ReportProgress, "phase" | "rowsDone" | "percent"> {
  readonly at: number;
}

export interface ProgressEstimate {
  readonly rowsPerSecond: number | null;
  readonly msLeft: number | null;
}

/** A shorter time between samples gives no estimate. */
const minElapsedMs = 1_000;

/** Estimates speed and remaining time from two samples of one phase. A new phase or attempt has no estimate yet. */
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

/** Reports whether the second sample continues the first one. */
export function isSamePhase(first: ProgressSample, last: ProgressSample): boolean {
  return first.phase === last.phase && first.rowsDone <= last.rowsDone;
}
