import { PermanentReportError } from "../../base/errors.ts";

/** Returns the error for a report that ran too long. `limitMs` is null if only Postgres knows the limit. */
export function runTimeExceededError(limitMs: number | null, cause?: unknown): PermanentReportError {
  const limit = limitMs === null ? "its limit" : `its limit of ${describeDuration(limitMs)}`;
  return new PermanentReportError(
    "RUN_TIME_LIMIT_EXCEEDED",
    `The report ran longer than ${limit}. Narrow its filters, or ask for csv or ndjson, which are the quickest.`,
    cause,
  );
}

function describeDuration(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`;
}
