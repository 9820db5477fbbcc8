import type { ReportLane } from "../../base/vocabulary.ts";

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

/**
 * Wraps a reader of queue loads so that no age grows faster than monotonic time. Ages are differences between times of Postgres's clock:
 * after that was set forward, everything that waits seems older by the jump. The first reading is taken as it is.
 * @param now monotonic time in milliseconds.
 */
export function confirmAges<Load extends QueueLoad & Pick<LaneLoad, "lane">>(
  readLoads: () => Promise<readonly Load[]>,
  now: () => number = () => performance.now(),
): () => Promise<readonly Load[]> {
  let confirmed: { readonly ages: ReadonlyMap<ReportLane, number | null>; readonly at: number } | null = null;
  return async () => {
    const read = await readLoads();
    const at = now();
    const before = confirmed;
    const loads = read.map((load) => {
      if (before === null || load.oldestWaitMs === null) return load;
      const longestMs = (before.ages.get(load.lane) ?? 0) + at - before.at;
      return { ...load, oldestWaitMs: Math.min(load.oldestWaitMs, longestMs) };
    });
    confirmed = { ages: new Map(loads.map(({ lane, oldestWaitMs }) => [lane, oldestWaitMs])), at };
    return loads;
  };
}
