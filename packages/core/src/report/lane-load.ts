import type { ReportLane } from "./lane.ts";

/** How much of one lane waits for the workers. */
export interface QueueLoad {
  /** Reports that could run now. May stop counting a little above the limits. */
  readonly waiting: number;
  /** How long the oldest of them could have run already; null when none waits. */
  readonly oldestWaitMs: number | null;
}

/** A lane of the queue as a whole. */
export interface LaneLoad extends QueueLoad {
  readonly lane: ReportLane;
  /** Jobs that some worker holds. */
  readonly running: number;
  /** Living workers that serve the lane and were not told to stop. */
  readonly workers: number;
}

/** Above which load of a lane nothing more is started in it. 0 switches a limit off. */
export interface OverloadLimits {
  readonly waiting: number;
  readonly oldestWaitSeconds: number;
}
