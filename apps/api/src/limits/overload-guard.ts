import {
  createWaitCappedLoadReader,
  findOverloadReason,
  type LaneLoad,
  type OverloadLimits,
  type QueueLoad,
} from "@reports/core/report";
import { RateLimitedError } from "@reports/core/caller";
import type { ReportLane } from "@reports/core/base";

const readingReuseMs = 1_000;
const retryAfterSeconds = 15;

type LoadByLane = ReadonlyMap<ReportLane, QueueLoad>;

const idleLoad: QueueLoad = { waiting: 0, oldestWaitMs: null };

/**
 * Creates a check that rejects a start with RateLimitedError if its lane has too many waiting reports, or if the oldest has waited too long. It
 * reads the queue once per second, and again after it has admitted as many starts as the lane had capacity for. So refusals need no query, and
 * bursts stay within the limit. It rejects with StoreUnavailableError if the queue cannot be read.
 */
export function createOverloadGuard(options: {
  /** Reads the number and the age of waiting reports per lane. A lane without waiting reports may be missing. */
  readonly readLoads: () => Promise<readonly (QueueLoad & Pick<LaneLoad, "lane">)[]>;
  readonly limitsOf: (lane: ReportLane) => OverloadLimits;
  readonly now?: () => number;
}): (lane: ReportLane) => Promise<void> {
  const { limitsOf, now = () => performance.now() } = options;
  const readLoads = createWaitCappedLoadReader(options.readLoads, now);
  let loads: LoadByLane | undefined;
  let reading: Promise<void> | undefined;
  let readAt = 0;
  const admitted = new Map<ReportLane, number>();

  async function readQueue(): Promise<void> {
    reading ??= (async () => {
      try {
        loads = new Map((await readLoads()).map((load) => [load.lane, load]));
        readAt = now();
        admitted.clear();
      } catch (error) {
        // The next start reads the queue again, because a failed reading is not reused.
        loads = undefined;
        throw error;
      } finally {
        reading = undefined;
      }
    })();
    return reading;
  }

  return async (lane) => {
    const limits = limitsOf(lane);
    if (limits.waiting === 0 && limits.oldestWaitSeconds === 0) return;
    for (;;) {
      const ageMs = now() - readAt;
      const load = loads === undefined ? undefined : (loads.get(lane) ?? idleLoad);
      const overload = load === undefined || ageMs >= 2 * readingReuseMs ? null : findOverloadReason(load, limits);
      if (overload !== null) {
        // The overload may have ended, so the queue is read again for later starts. This refusal does not wait for that reading.
        if (ageMs >= readingReuseMs) readQueue().catch(() => undefined);
        throw overloadError(overload, limits);
      }
      const isFull =
        load !== undefined && limits.waiting > 0 && load.waiting + (admitted.get(lane) ?? 0) >= limits.waiting;
      if (load !== undefined && ageMs < readingReuseMs && !isFull) break;
      await readQueue();
    }
    admitted.set(lane, (admitted.get(lane) ?? 0) + 1);
  };
}

const overloadTexts = { length: "too many reports are queued", wait: "queued reports have waited too long" } as const;

function overloadError(overload: keyof typeof overloadTexts, limits: OverloadLimits): RateLimitedError {
  return new RateLimitedError("overloaded", `No report was started: ${overloadTexts[overload]}. Try again later.`, {
    retryAfterSeconds,
    quotas: [{ name: "queue", limit: limits.waiting, remaining: 0, windowSeconds: null, resetSeconds: null }],
  });
}
