import type { GatewayError } from "@reports/client";

/** Scripts rely on these codes, so their meaning never changes. */
export const exitCodes = {
  done: 0,
  /** The report failed or was cancelled, its file or the output could not be written, or its state does not allow the command. */
  failed: 1,
  /** The command line, the environment or the request is wrong. */
  usage: 2,
  /** Statuses 401 and 403. */
  notAllowed: 3,
  /** Statuses 404 and 410. */
  gone: 4,
  /** The time of --timeout is over. The report keeps running. */
  timedOut: 5,
  /** Status 429. */
  refused: 6,
  /** The service cannot be reached or answers 408 or 5xx. */
  unavailable: 7,
} as const;

export const exitCodeHelp = `Exit codes: 0 done; 1 the report failed or was cancelled, its file or the output could not be written, or its state
does not allow the command; 2 wrong usage; 3 not allowed; 4 there is no such report or file (any more); 5 timed out,
the report keeps running; 6 refused for now, try again later; 7 the service is unavailable; 130 interrupted.`;

/** Codes of problems that depend on the state of a record. Another command line would not help. */
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

/** Reports whether the service refuses a request because of the state of a record. */
export function isRefusedByState({ code, issues }: Pick<GatewayError, "code" | "issues">): boolean {
  // The service refuses to cancel an ended report with the issue `not_open`.
  return stateProblemCodes.includes(code) || issues.some((issue) => issue.code === "not_open");
}

export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (isGone(status)) return exitCodes.gone;
  if (status === 429) return exitCodes.refused;
  // 408 means that the request arrived too slowly, so the command line is correct.
  return status >= 400 && status < 500 && status !== 408 ? exitCodes.usage : exitCodes.unavailable;
}

export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}
