import type { GatewayError } from "@reports/client";

/** Scripts rely on these codes: none changes its meaning. */
export const exitCodes = {
  done: 0,
  /** The report failed or was cancelled, its file or the output could not be written, or the state does not allow the request. */
  failed: 1,
  /** The command line, the environment or the request is wrong. */
  usage: 2,
  /** 401, 403. */
  notAllowed: 3,
  /** 404, 410. */
  gone: 4,
  /** --timeout is over; the report continues. */
  timedOut: 5,
  /** 429. */
  refused: 6,
  /** The service cannot be reached, or cannot answer now. */
  unavailable: 7,
} as const;

export const exitCodeHelp = `Exit codes: 0 done; 1 the report failed or was cancelled, its file or the output could not be written, or its state
does not allow the command; 2 wrong usage; 3 not allowed; 4 there is no such report or file (any more); 5 timed out,
the report keeps running; 6 refused for now, try again later; 7 the service is unavailable; 130 interrupted.`;

/** Problems due to a state: another command line would not help. */
const stateProblems: readonly string[] = [
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

/** Whether the service refuses because of a state, and not because of the request. */
export function isRefusedByState({ code, issues }: Pick<GatewayError, "code" | "issues">): boolean {
  // An ended report cannot be cancelled, which the service reports as a wrong change.
  return stateProblems.includes(code) || issues.some((issue) => issue.code === "not_open");
}

export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (isGone(status)) return exitCodes.gone;
  if (status === 429) return exitCodes.refused;
  // A request that arrived too slowly (408) is no fault of the command line.
  return status >= 400 && status < 500 && status !== 408 ? exitCodes.usage : exitCodes.unavailable;
}

export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}
