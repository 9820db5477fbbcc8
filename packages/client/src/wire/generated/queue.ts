// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { ReportLane } from "./enumerations.ts";

/** A lane of the queue. */
export interface Lane {
  readonly id: ReportLane;
  /** Number of jobs that could run now and wait for a worker, counted up to 2,000. */
  readonly waiting: number;
  /** Number of jobs that workers run now, counted up to 2,000. */
  readonly running: number;
  /** For how many seconds the oldest waiting job could already have run; null if no job waits. */
  readonly oldestWaitSeconds: number | null;
  /** Number of running workers that take reports from the lane and are not stopping. */
  readonly workers: number;
}

/** A running worker. */
export interface Worker {
  /** ID of the worker's process. A restart changes it. */
  readonly id: string;
  /** Name of the host on which the worker runs. */
  readonly host: string;
  /** Version of the service that the worker runs. */
  readonly version: string;
  /** Lanes from which the worker takes reports. */
  readonly lanes: readonly ReportLane[];
  /** Report types that the worker can run now. Null if the worker's version does not report them. */
  readonly reportTypes: readonly string[] | null;
  /** Number of reports that the worker runs now. */
  readonly running: number;
  /** When the worker started. */
  readonly startedAt: string;
  /** Time of the worker's last heartbeat. */
  readonly lastSeenAt: string;
}
