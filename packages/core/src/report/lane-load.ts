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

/** One of them, by the lanes that have it. */
export type LaneLimits = Readonly<Partial<Record<ReportLane, number>>>;

/** Both limits of a lane. */
export function overloadLimitsOf(
  lane: ReportLane,
  { waiting, oldestWaitSeconds }: { readonly waiting: LaneLimits; readonly oldestWaitSeconds: LaneLimits },
): OverloadLimits {
  return { waiting: waiting[lane] ?? 0, oldestWaitSeconds: oldestWaitSeconds[lane] ?? 0 };
}

/** What of a lane's load is above its limits: its length, or the wait of the oldest. */
export function overloadOf({ waiting, oldestWaitMs }: QueueLoad, limits: OverloadLimits): "length" | "wait" | null {
  if (limits.waiting > 0 && waiting >= limits.waiting) return "length";
  const isOld = limits.oldestWaitSeconds > 0 && (oldestWaitMs ?? 0) >= limits.oldestWaitSeconds * 1000;
  return isOld ? "wait" : null;
}
