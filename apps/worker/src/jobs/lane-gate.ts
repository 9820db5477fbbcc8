import { reportLanes, type ReportLane } from "@reports/core";

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
  const taken = new Map<ReportLane, number>(reportLanes.map((lane) => [lane, 0]));
  const waiting = new Map<ReportLane, Set<() => void>>(reportLanes.map((lane) => [lane, new Set()]));
  const bulkSlots = lanes.includes("quick") ? Math.max(1, concurrency - 1) : concurrency;
  const startTimes = new Set<{ readonly at: number }>();
  let order: readonly ReportLane[] = reportLanes;
  let drained: { readonly until: number; readonly onUsed: () => void } | null = null;
  let restUntil = 0;
  let review: NodeJS.Timeout | undefined;
  let suspectsRunning = 0;

  const isDraining = (): boolean => drained !== null && performance.now() < drained.until;
  const total = (): number => [...taken.values()].reduce((sum, count) => sum + count, 0);
  const isOpen = (lane: ReportLane): boolean => {
    if (!lanes.includes(lane) || taken.get("suspect")! > 0 || total() >= concurrency || !mayTake()) return false;
    if (lane === "suspect") return total() === 0;
    return !isDraining() && (lane !== "bulk" || taken.get("bulk")! < bulkSlots);
  };
  const isAnyoneWaiting = (): boolean => [...waiting.values()].some((polls) => polls.size > 0);

  /** Lets in whoever may go in; a lane that was served goes to the end of the order. */
  const admit = (): void => {
    for (;;) {
      const lane = order.find((candidate) => waiting.get(candidate)!.size > 0 && isOpen(candidate));
      if (lane === undefined) break;
      order = [...order.filter((other) => other !== lane), lane];
      const [goIn] = waiting.get(lane)!;
      goIn!();
    }
    clearTimeout(review);
    if (isAnyoneWaiting()) review = setTimeout(admit, reviewMs).unref();
  };

  return {
    async enter(lane, signal) {
      const polls = waiting.get(lane)!;
      await new Promise<void>((resolve) => {
        const goIn = (): void => {
          polls.delete(goIn);
          signal.removeEventListener("abort", goIn);
          taken.set(lane, taken.get(lane)! + 1);
          resolve();
        };
        polls.add(goIn);
        if (signal.aborted) goIn();
        else signal.addEventListener("abort", goIn);
        admit();
      });
    },
    leave(lane) {
      taken.set(lane, taken.get(lane)! - 1);
      admit();
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
