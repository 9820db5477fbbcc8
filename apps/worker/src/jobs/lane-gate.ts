import { createSemaphore, reportLanes, type HeldPermits, type ReportLane } from "@reports/core/base";

/** Hands out this process's slots, a slot before each poll. */
export interface LaneGate {
  /**
   * Resolves with a slot for a poll of the lane's jobs, which `leave` gives back: a poll that finds nothing as soon as it has failed, one
   * that finds a job when that has ended. Resolves at once, whatever the rules, when the signal aborts: the runner then polls no more.
   */
  enter(lane: ReportLane, signal: AbortSignal): Promise<void>;
  leave(lane: ReportLane): void;
  /** Times the work of a job for which there is a slot. */
  run<T>(lane: ReportLane, work: () => Promise<T>): Promise<T>;
  /**
   * Whether this worker may drain for a suspected poison pill: none runs here, the worker is not draining for one already, and since the
   * last one other work has had as much time as that one took.
   */
  mayDrain(): boolean;
  /** For how long the oldest work runs by now; 0 when nothing runs. */
  oldestRunMs(): number;
  /**
   * Drains this worker for a suspected poison pill: only jobs of the lane `suspect` are taken for this long, or until one begins. Otherwise
   * a busy worker would never be idle.
   * @param onUsed called when one begins in that time.
   */
  drain(forMs: number, onUsed: () => void): void;
}

/** How gates are made. */
export interface LaneGateOptions {
  readonly lanes: readonly ReportLane[];
  readonly concurrency: number;
  /** Whether this process may take anything at all now; asked before each poll, and again while polls wait. */
  readonly mayTake: () => boolean;
}

/** How often waiting lanes are checked again for causes that are not announced: the end of `drain`, `mayTake`. */
const reviewMs = 500;

/**
 * A slot is taken before a job is fetched, so that the rules hold for jobs that arrive together. Long reports get all slots of a worker
 * but one, so that a short one finds a slot; the lane `suspect` is polled only by an idle worker, and while it is polled or a job of it
 * runs, no other lane is. When a slot becomes free, lanes are served round robin: a lane with a long backlog does not starve the others.
 */
export function createLaneGate({ lanes, concurrency, mayTake }: LaneGateOptions): LaneGate {
  /** Return the slots of each lane. */
  const releases = new Map<ReportLane, (() => void)[]>(reportLanes.map((lane) => [lane, []]));
  const bulkSlots = lanes.includes("quick") ? Math.max(1, concurrency - 1) : concurrency;
  const startTimes = new Set<{ readonly at: number }>();
  let drained: { readonly until: number; readonly onUsed: () => void } | null = null;
  let restUntil = 0;
  let review: NodeJS.Timeout | undefined;
  let suspectsRunning = 0;

  const isDraining = (): boolean => drained !== null && performance.now() < drained.until;
  const mayTakeSlot = (lane: ReportLane, held: HeldPermits<ReportLane>): boolean => {
    if (!lanes.includes(lane) || held.of("suspect") > 0 || held.total >= concurrency || !mayTake()) return false;
    if (lane === "suspect") return held.total === 0;
    return !isDraining() && (lane !== "bulk" || held.of("bulk") < bulkSlots);
  };
  const slots = createSemaphore({ mayTake: mayTakeSlot });

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
        suspectsRunning++;
        if (isDraining()) drained!.onUsed();
        drained = null;
      }
      const start = { at: performance.now() };
      startTimes.add(start);
      try {
        return await work();
      } finally {
        startTimes.delete(start);
        if (lane === "suspect") {
          suspectsRunning--;
          restUntil = 2 * performance.now() - start.at;
        }
      }
    },
    mayDrain: () => suspectsRunning === 0 && !isDraining() && performance.now() >= restUntil,
    oldestRunMs: () => Math.max(0, ...[...startTimes].map(({ at }) => performance.now() - at)),
    drain(forMs, onUsed) {
      drained = { until: performance.now() + forMs, onUsed };
    },
  };
}
