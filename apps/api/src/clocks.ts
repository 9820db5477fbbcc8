/** Times by which an API instance repeats work and reviews callers, in milliseconds. No setting changes them. */
export interface ApiClocks {
  readonly storeMs: number;
  readonly choresMs: number;
  readonly waitReviewMs: number;
  /** Pause between comments in a silent event stream, and between reviews of its caller's credentials: docs/reference/resources/report-events.md#events. */
  readonly streamHeartbeatMs: number;
  /** Streams end after this time, so that their callers show their credentials again. */
  readonly maxStreamMs: number;
  /** How often one query reads all watched reports while Postgres notifies of changes, in case a notification is lost. */
  readonly livePollMs: number;
  /** The same while notifications do not arrive. */
  readonly lostPollMs: number;
}

export const productionClocks: ApiClocks = {
  storeMs: 5_000,
  choresMs: 60_000,
  waitReviewMs: 10_000,
  streamHeartbeatMs: 15_000,
  maxStreamMs: 600_000,
  livePollMs: 15_000,
  lostPollMs: 1_000,
};
