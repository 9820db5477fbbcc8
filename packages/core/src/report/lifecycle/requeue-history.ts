import type { RequeueCause } from "../../base/vocabulary.ts";

export interface WorkerRefusal {
  readonly because: RequeueCause;
  readonly message: string;
  /** Lowest version of the report type with which a worker can run the report. */
  readonly servedFromVersion: number;
  /** Set if this worker refuses the report only while another running worker can run it. */
  readonly onlyIfElsewhere?: true;
  /** Set if only a worker with a larger spool than this, in bytes, can run the report. */
  readonly spoolAboveBytes?: number;
  /** Time after the first requeue in which the report waits even if no running worker can run it, because a worker may be restarting. */
  readonly awaitsReturnMs?: number;
}

export interface ReportSpoolRequirement {
  /** Largest spool, in bytes, that was too small for the report; null if none was. */
  readonly spoolExceededBytes: number | null;
}

/** How often workers have requeued a report that they cannot run, and how many ms ago they did so first. */
export interface RequeueHistory {
  readonly count: number;
  readonly waitedMs: number;
  readonly isServedElsewhere: boolean;
}
