import type { GatewayError } from "@reports/client";

/** Scripts rely on these codes. Their meanings must never change. */
export const exitCodes = {
  done: 0,
  /** The report failed or was cancelled, its file or the output could not be written, or its state does not allow the command. */
  failed: 1,
  /** The command line, the environment or the request is wrong. */
  usage: 2,
  notAllowed: 3,
  gone: 4,
  /** --timeout has passed. The report keeps running. */
  timedOut: 5,
  refused: 6,
  /** The service cannot be reached, or its status is 408 or 5xx. */
  unavailable: 7,
} as const;

export const exitCodeHelp =
  "Exit codes: 0 done; 1 the report failed or was cancelled, its file or the output could not be written, " +
  "or its state does not allow the command; 2 wrong usage; 3 not allowed; 4 there is no such report or file (any more); " +
  "5 timed out, the report keeps running; 6 refused for now, try again later; 7 the service is unavailable; 130 interrupted.";

/** Problem codes that depend on the state of a record, so that another command line would not help. */
const stateProblemCodes: readonly string[] = [
  "report-cancelled",
  "report-failed",
  "report-not-finished",
  "rows-not-kept",
  "schedule-ended",
  "too-many-files",
  "too-many-links",
  "too-many-schedules",
  "too-many-webhooks",
];

export function isRefusedByRecordState({ code, issues }: Pick<GatewayError, "code" | "issues">): boolean {
  // `not_open` is the issue with which the service refuses to cancel an ended report.
  return stateProblemCodes.includes(code) || issues.some((issue) => issue.code === "not_open");
}

export function exitCodeNameOfHttpStatus(status: number): keyof typeof exitCodes {
  if (status === 401 || status === 403) return "notAllowed";
  if (isNotFoundOrGoneStatus(status)) return "gone";
  if (status === 429) return "refused";
  // Status 408 means that the request arrived too slowly. The command line is correct.
  return status >= 400 && status < 500 && status !== 408 ? "usage" : "unavailable";
}

export function isNotFoundOrGoneStatus(status: number): boolean {
  return status === 404 || status === 410;
}
