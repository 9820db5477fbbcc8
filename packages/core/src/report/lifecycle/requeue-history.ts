import type { RequeueCause } from "../../base/vocabulary.ts";

export interface Refusal {
  readonly because: RequeueCause;
  /** One sentence, for logs. */
  readonly message: string;
  /** The first version of the type with which a worker can run it. */
  readonly servedFromVersion: number;
  /** Set if this worker runs it when no other running worker can. */
  readonly onlyIfElsewhere?: true;
  /** Only a worker that can make larger files than this can run it. */
  readonly spoolAboveBytes?: number;
  /** After the first requeue, this worker waits this long, because the worker that can run it may be restarting. */
  readonly awaitsReturnMs?: number;
}

export interface ReportNeeds {
  /** The largest scratch space that was too small; null if none was. */
  readonly spoolExceededBytes: number | null;
}

/** How often workers requeued a report that they do not serve, and whether another worker serves it. */
export interface RequeueHistory {
  readonly count: number;
  readonly waitedMs: number;
  /** Whether another running worker says that it can run it. */
  readonly isServedElsewhere: boolean;
}
