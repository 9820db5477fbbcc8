/** What the command's exit codes mean. Scripts rely on them: none changes its meaning. */
export const exitCodes = {
  done: 0,
  /** The report failed or was cancelled, or its file could not be written here. */
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
  /** The service cannot be reached, or says that it cannot answer. */
  away: 7,
} as const;

/** The meanings, for `--help`. */
export const exitCodeHelp = `Exit codes: 0 done; 1 the report failed or was cancelled; 2 wrong usage; 3 not allowed; 4 there is no such report or
file (any more); 5 timed out, the report goes on; 6 refused for now, try again later; 7 the service is away; 130 interrupted.`;

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
