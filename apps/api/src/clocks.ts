/** Intervals and deadlines of an API instance, in milliseconds. No environment variable changes them. Tests replace them. */
export interface ApiTimings {
  /** Pause between checks that the file store belongs to the database. */
  readonly storeMs: number;
  readonly periodicTasksMs: number;
  readonly scheduleCheckMs: number;
  readonly waitReviewMs: number;
  /** Pause between heartbeat comments in a silent event stream, and between checks of its caller's credentials. */
  readonly streamHeartbeatMs: number;
  /** Maximum duration of an event stream. After that, the caller must reconnect and authenticate again. */
  readonly maxStreamMs: number;
  /** Pause between polls of all watched reports while Postgres notifications arrive. A poll finds a change whose notification was lost. */
  readonly livePollMs: number;
  readonly lostPollMs: number;
  /** Maximum time that a request waits until the allowed values of its filters are read from the data. After that, the API accepts every value. */
  readonly filterValuesMs: number;
  /** Time limit of each check of `/health/ready`. */
  readonly healthCheckMs: number;
}

export const productionApiTimings: ApiTimings = {
  storeMs: 5_000,
  periodicTasksMs: 60_000,
  scheduleCheckMs: 600_000,
  waitReviewMs: 10_000,
  streamHeartbeatMs: 15_000,
  maxStreamMs: 600_000,
  livePollMs: 15_000,
  lostPollMs: 1_000,
  filterValuesMs: 2_000,
  healthCheckMs: 2_000,
};
