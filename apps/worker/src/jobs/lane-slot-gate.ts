import { createSemaphore, reportLanes, type HeldPermitCounts, type ReportLane } from "@reports/core/base";

export interface LaneSlotGate {
  /** Waits for a slot, which the caller returns with `leave` after an empty poll or after the job. Resolves without a slot if the signal aborts. */
  enter(lane: ReportLane, signal: AbortSignal): Promise<void>;
  leave(lane: ReportLane): void;
  run<T>(lane: ReportLane, work: () => Promise<T>): Promise<T>;
  running(lane: ReportLane): number;
  /** Reports whether a drain may begin: no quarantined report runs, and other work has since had as much time as the last one took. */
  mayDrain(): boolean;
  oldestRunMs(): number;
  /**
   * Grants slots only to the quarantine lane for `forMs`, or until a quarantined report begins. Calls `onUsed` when that report begins. Without
   * drains, a busy worker would never be idle.
   */
  drain(forMs: number, onUsed: () => void): void;
}

export interface LaneSlotGateOptions {
  readonly lanes: readonly ReportLane[];
  readonly concurrency: number;
  /** Reports whether this worker may take jobs. Called before each poll, and again while polls wait. */
  readonly mayAcquire: () => boolean;
}

/** Interval in ms at which polls that wait for a slot check again. Nothing announces the end of a drain or a change of `mayAcquire`. */
const recheckMs = 500;

/**
 * Creates the gate. A poll acquires a slot before it fetches a job, so that the rules also hold for jobs that arrive together. If a worker has
 * several slots and also serves short reports, long reports get all slots except one. Only an idle worker polls the lane `suspect`, and then
 * polls no other lane. Free slots go to the lanes in turn, so that no backlog starves other lanes.
 */
export function createLaneSlotGate({ lanes, concurrency, mayAcquire }: LaneSlotGateOptions): LaneSlotGate {
  const releases = new Map<ReportLane, (() => void)[]>(reportLanes.map((lane) => [lane, []]));
  const bulkSlots = lanes.includes("quick") ? Math.max(1, concurrency - 1) : concurrency;
  const starts = new Set<{ readonly lane: ReportLane; readonly at: number }>();
  let currentDrain: { readonly until: number; readonly onUsed: () => void } | null = null;
  let drainAllowedAt = 0;
  let review: NodeJS.Timeout | undefined;
  const running = (lane: ReportLane): number => [...starts].filter((start) => start.lane === lane).length;

  const isDraining = (): boolean => currentDrain !== null && performance.now() < currentDrain.until;
  const mayTakeSlot = (lane: ReportLane, held: HeldPermitCounts<ReportLane>): boolean => {
    if (!lanes.includes(lane) || held.of("suspect") > 0 || held.total >= concurrency || !mayAcquire()) return false;
    if (lane === "suspect") return held.total === 0;
    return !isDraining() && (lane !== "bulk" || held.of("bulk") < bulkSlots);
  };
  const slots = createSemaphore({ mayAcquire: mayTakeSlot });

  const reviewWaiting = (): void => {
    clearTimeout(review);
    slots.serve();
    if (slots.waiting > 0) review = setTimeout(reviewWaiting, recheckMs).unref();
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
        if (isDraining()) currentDrain!.onUsed();
        currentDrain = null;
      }
      const start = { lane, at: performance.now() };
      starts.add(start);
      try {
        return await work();
      } finally {
        starts.delete(start);
        if (lane === "suspect") drainAllowedAt = 2 * performance.now() - start.at;
      }
    },
    running,
    mayDrain: () => running("suspect") === 0 && !isDraining() && performance.now() >= drainAllowedAt,
    oldestRunMs: () => Math.max(0, ...[...starts].map(({ at }) => performance.now() - at)),
    drain(forMs, onUsed) {
      currentDrain = { until: performance.now() + forMs, onUsed };
    },
  };
}
