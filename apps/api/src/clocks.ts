/** Intervals and deadlines of an API instance, in milliseconds. No environment variable changes them. Tests replace them. */
export interface ApiClocks {
  /** Pause between checks of the file store. */
  readonly storeMs: number;
  readonly choresMs: number;
  /** Pause between two comparisons of all schedules with their report types. */
  readonly scheduleCheckMs: number;
  /** How often a waiting request (`Prefer: wait`) checks its caller's credentials again. */
  readonly waitReviewMs: number;
  /** Pause between heartbeat comments in a silent event stream, and between checks of its caller's credentials. docs/reference/resources/report-events.md#events. */
  readonly streamHeartbeatMs: number;
  /** Event streams end after this time, so that their callers must authenticate again. */
  readonly maxStreamMs: number;
  /** How often the API polls all watched reports while it receives Postgres notifications, in case one is lost. */
  readonly livePollMs: number;
  /** How often the API polls all watched reports while it receives no Postgres notifications. */
  readonly lostPollMs: number;
}

export const productionClocks: ApiClocks = {
  storeMs: 5_000,
  choresMs: 60_000,
  scheduleCheckMs: 600_000,
  waitReviewMs: 10_000,
  streamHeartbeatMs: 15_000,
  maxStreamMs: 600_000,
  livePollMs: 15_000,
  lostPollMs: 1_000,
};
