import type { HandBackCause } from "../../base/vocabulary.ts";

/** Why a worker does not run a report now. */
export interface Refusal {
  readonly because: HandBackCause;
  /** One sentence, for logs. */
  readonly message: string;
  /** A worker that serves the type in this version, or a later one, can run it. */
  readonly servedFromVersion: number;
  /** Set if this worker runs it when no other running worker can. */
  readonly onlyIfElsewhere?: true;
  /** Only a worker that can make larger files than this can run it. */
  readonly spoolAboveBytes?: number;
  /** For so long after the first requeue this worker does not run it, because the worker that can may be restarting. */
  readonly awaitsReturnMs?: number;
}

/** Needs of a report that are not in its record. */
export interface ReportNeeds {
  /** The largest scratch space that proved too small for the report; null while none did. */
  readonly spoolExceededBytes: number | null;
}

/** How often workers that do not serve a report requeued it, and whether another worker serves it. */
export interface HandBackPast {
  /** Before this time. */
  readonly count: number;
  /** Since the first time, in milliseconds. */
  readonly waitedMs: number;
  /** Whether another running worker says that it can run it. */
  readonly isServedElsewhere: boolean;
}
