import { createSemaphore, reportLanes, type HeldPermits, type ReportLane } from "@reports/core/base";

/** Grants this process's slots, one before each poll. */
export interface LaneGate {
  /** Resolves with a slot, which `leave` returns after a failed poll or the job; immediately if the signal aborts. */
  enter(lane: ReportLane, signal: AbortSignal): Promise<void>;
  leave(lane: ReportLane): void;
  run<T>(lane: ReportLane, work: () => Promise<T>): Promise<T>;
  /** Whether a drain for a suspected poison pill may begin: none runs here, and other work had as much time as the last one took. */
  mayDrain(): boolean;
  /** Age of the oldest running work; 0 if nothing runs. */
  oldestRunMs(): number;
  /** Takes only `suspect` jobs, because a busy worker is never idle, for `forMs` or until one begins (`onUsed`). */
  drain(forMs: number, onUsed: () => void): void;
}

export interface LaneGateOptions {
  readonly lanes: readonly ReportLane[];
  readonly concurrency: number;
  /** Asked before each poll, and again while polls wait. */
  readonly mayAcquire: () => boolean;
}

/** How often waiting lanes check for unannounced changes: the end of `drain`, `mayAcquire`. */
const reviewMs = 500;

/**
 * A slot is acquired before a job is fetched, so that the rules hold for jobs that arrive together. Long reports get all slots but one,
 * which stays for a short one. Only an idle worker polls the lane `suspect`, and meanwhile no other lane. Free slots go to lanes round
 * robin, so that no backlog starves other lanes.
 */
export function createLaneGate({ lanes, concurrency, mayAcquire }: LaneGateOptions): LaneGate {
  const releases = new Map<ReportLane, (() => void)[]>(reportLanes.map((lane) => [lane, []]));
  const bulkSlots = lanes.includes("quick") ? Math.max(1, concurrency - 1) : concurrency;
  const startTimes = new Set<{ readonly at: number }>();
  let currentDrain: { readonly until: number; readonly onUsed: () => void } | null = null;
  let drainAllowedAt = 0;
  let review: NodeJS.Timeout | undefined;
  let quarantinedRunning = 0;

  const isDraining = (): boolean => currentDrain !== null && performance.now() < currentDrain.until;
  const mayTakeSlot = (lane: ReportLane, held: HeldPermits<ReportLane>): boolean => {
    if (!lanes.includes(lane) || held.of("suspect") > 0 || held.total >= concurrency || !mayAcquire()) return false;
    if (lane === "suspect") return held.total === 0;
    return !isDraining() && (lane !== "bulk" || held.of("bulk") < bulkSlots);
  };
  const slots = createSemaphore({ mayAcquire: mayTakeSlot });

  const reviewWaiting = (): void => {
    clearTimeout(review);
    slots.serve();
    if (slots.waiting > 0) review = setTimeout(reviewWaiting, reviewMs).unref();
  };

  return {
    async enter(lane, signal) {
      const acquiring = slots.acquire(lane, signal);
      reviewWaiting();
      const release = await acquiring.catch(() => () => undefined);
      releases.get(lane)!.push(release);
    },
    leave(lane) {
      releases.get(lane)!.pop()?.();
    },
    async run(lane, work) {
      if (lane === "suspect") {
        quarantinedRunning++;
        if (isDraining()) currentDrain!.onUsed();
        currentDrain = null;
      }
      const start = { at: performance.now() };
      startTimes.add(start);
      try {
        return await work();
      } finally {
        startTimes.delete(start);
        if (lane === "suspect") {
          quarantinedRunning--;
          drainAllowedAt = 2 * performance.now() - start.at;
        }
      }
    },
    mayDrain: () => quarantinedRunning === 0 && !isDraining() && performance.now() >= drainAllowedAt,
    oldestRunMs: () => Math.max(0, ...[...startTimes].map(({ at }) => performance.now() - at)),
    drain(forMs, onUsed) {
      currentDrain = { until: performance.now() + forMs, onUsed };
    },
  };
}
