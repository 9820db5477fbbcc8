import type { ReportLane } from "../../base/vocabulary.ts";

export interface QueueLoad {
  /** Number of due reports in the queue. Counting stops a little above the overload limit, so this is a lower bound for long queues. */
  readonly waiting: number;
  readonly oldestWaitMs: number | null;
}

export interface LaneLoad extends QueueLoad {
  readonly lane: ReportLane;
  readonly running: number;
  readonly workers: number;
}

/** A lane refuses starts when its load has reached one of these limits. 0 turns a limit off. */
export interface OverloadLimits {
  readonly waiting: number;
  readonly oldestWaitSeconds: number;
}

export type LimitByLane = Readonly<Partial<Record<ReportLane, number>>>;

export function overloadLimitsOf(
  lane: ReportLane,
  { waiting, oldestWaitSeconds }: { readonly waiting: LimitByLane; readonly oldestWaitSeconds: LimitByLane },
): OverloadLimits {
  return { waiting: waiting[lane] ?? 0, oldestWaitSeconds: oldestWaitSeconds[lane] ?? 0 };
}

export function findOverloadReason(
  { waiting, oldestWaitMs }: QueueLoad,
  limits: OverloadLimits,
): "length" | "wait" | null {
  if (limits.waiting > 0 && waiting >= limits.waiting) return "length";
  const isOld = limits.oldestWaitSeconds > 0 && (oldestWaitMs ?? 0) >= limits.oldestWaitSeconds * 1000;
  return isOld ? "wait" : null;
}

/**
 * Wraps a reader of loads so that the waits it returns grow no faster than monotonic time. Without this limit, every wait would jump when
 * Postgres's clock is set forward. The loads of the first call are returned unchanged. `now` returns monotonic milliseconds.
 */
export function createWaitCappedLoadReader<Load extends QueueLoad & Pick<LaneLoad, "lane">>(
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
