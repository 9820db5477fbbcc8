// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ReportLane } from "./enumerations.ts";

/** A lane of the queue. */
export interface Lane {
  readonly id: ReportLane;
  /** Jobs that could run now, counted up to 2,000. */
  readonly waiting: number;
  /** Jobs that workers hold, counted up to 2,000. */
  readonly running: number;
  /** Since the oldest waiting job could run; null where none waits. */
  readonly oldestWaitSeconds: number | null;
  /** Running workers that serve the lane and are not stopping. */
  readonly workers: number;
}

/** A worker that lives. */
export interface Worker {
  /** ID of its process; a restart changes it. */
  readonly id: string;
  /** The name of its host. */
  readonly host: string;
  /** The version of the service that it runs. */
  readonly version: string;
  /** From which it takes reports. */
  readonly lanes: readonly ReportLane[];
  /** Those that it can run now; null of a worker that is too old to say. */
  readonly reportTypes: readonly string[] | null;
  /** Reports that it is making. */
  readonly running: number;
  /** When it started. */
  readonly startedAt: string;
  /** When it last said that it lives. */
  readonly lastSeenAt: string;
}
