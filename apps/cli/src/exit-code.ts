import type { GatewayError } from "@reports/client";

/** What the command's exit codes mean. Scripts rely on them: none changes its meaning. */
export const exitCodes = {
  done: 0,
  /** The report failed or was cancelled, its file or the output could not be written, or the state does not allow the request. */
  failed: 1,
  /** The command line, the environment or what was asked for is wrong. */
  usage: 2,
  /** 401, 403. */
  notAllowed: 3,
  /** 404, 410. */
  gone: 4,
  /** --timeout is over; the report goes on. */
  timedOut: 5,
  /** 429. */
  refused: 6,
  /** The service cannot be reached, or says that it cannot answer now. */
  away: 7,
} as const;

/** The meanings, for `--help`. */
export const exitCodeHelp = `Exit codes: 0 done; 1 the report failed or was cancelled, its file or the output could not be written, or its state
does not allow what was asked for; 2 wrong usage; 3 not allowed; 4 there is no such report or file (any more); 5 timed
out, the report goes on; 6 refused for now, try again later; 7 the service is away, or cannot do it now; 130
interrupted.`;

/** Problems that tell of what there is: another command line would not help. */
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

/** Whether the service refuses because of what there is, and not because of what was asked for. */
export function isRefusedByState({ code, issues }: Pick<GatewayError, "code" | "issues">): boolean {
  // A report that has ended and is to be cancelled is one more way of a wrong change to the service.
  return stateProblems.includes(code) || issues.some((issue) => issue.code === "not_open");
}

/** What an HTTP status of the service makes of the command. */
export function exitCodeOfStatus(status: number): number {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (isGone(status)) return exitCodes.gone;
  if (status === 429) return exitCodes.refused;
  // A request that took too long to arrive (408) is no fault of the command line.
  return status >= 400 && status < 500 && status !== 408 ? exitCodes.usage : exitCodes.away;
}

/** Whether the status tells of something that is not there. */
export function isGone(status: number): boolean {
  return status === 404 || status === 410;
}
