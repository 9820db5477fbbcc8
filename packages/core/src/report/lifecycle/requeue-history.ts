import type { RequeueCause } from "../../base/vocabulary.ts";

export interface Refusal {
  readonly because: RequeueCause;
  /** One sentence, for logs. */
  readonly message: string;
  /** First version of the report type that a worker must know to run the report. */
  readonly servedFromVersion: number;
  /** Set if this worker still runs the report when no other running worker can. */
  readonly onlyIfElsewhere?: true;
  /** Only a worker that can make larger files than this can run the report. */
  readonly spoolAboveBytes?: number;
  /** How long after the first requeue this worker refuses the report, because a worker that can run the report may be restarting. */
  readonly awaitsReturnMs?: number;
}

export interface ReportNeeds {
  /** Largest scratch space, in bytes, that was too small for the report; null if none was. */
  readonly spoolExceededBytes: number | null;
}

/** How often and how long workers have requeued a report that they do not serve. */
export interface RequeueHistory {
  readonly count: number;
  readonly waitedMs: number;
  /** Whether another running worker announces that it can run the report. */
  readonly isServedElsewhere: boolean;
}
