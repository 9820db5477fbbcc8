import { reportLanes, type ReportLane } from "@reports/core";

/** The job was taken in the moment in which a suspect began, or a suspect while something ran: the queue brings it back. */
export class LaneBusyError extends Error {
  override readonly name = "LaneBusyError";
}

/** Says which lanes are open in this process. */
export interface LaneGate {
  /** Lanes of which no job may be taken now; asked by the queue before each job. */
  closed(): ReportLane[];
  /** Counts the work in its lane. Rejects with LaneBusyError when it may not begin. */
  run<T>(lane: ReportLane, work: () => Promise<T>): Promise<T>;
  /** Whether a suspect runs here; nothing else is taken then. */
  runsSuspect(): boolean;
  /**
   * Whether this worker is one to make room for a suspect: none runs here, no room is being made, and after the last one other work
   * had as much time as that one took.
   */
  mayMakeRoom(): boolean;
  /** For how long the oldest work runs by now; 0 when nothing runs. */
  oldestRunMs(): number;
  /**
   * Nothing but suspects is taken for this long, or until one begins: otherwise a busy worker would never be empty.
   * @param onUsed called when one begins in that time.
   */
  makeRoom(forMs: number, onUsed: () => void): void;
}

/**
 * Long reports take all slots of a worker but one, so that a short one finds a place; a suspect is taken by a worker that runs
 * nothing else, and while it runs nothing else is taken. Jobs that this process may not take stay in the queue for others.
 */
export function createLaneGate(options: {
  readonly lanes: readonly ReportLane[];
  readonly concurrency: number;
}): LaneGate {
  const running = new Map<ReportLane, number>(reportLanes.map((lane) => [lane, 0]));
  const unserved = reportLanes.filter((lane) => !options.lanes.includes(lane));
  const bulkSlots = options.lanes.includes("quick") ? Math.max(1, options.concurrency - 1) : options.concurrency;
  let room: { readonly until: number; readonly onUsed: () => void } | null = null;
  let restUntil = 0;
  const startTimes = new Set<{ readonly at: number }>();
  const makesRoom = (): boolean => room !== null && performance.now() < room.until;
  const total = (): number => [...running.values()].reduce((sum, count) => sum + count, 0);
  const isShut = (lane: ReportLane): boolean => {
    if (running.get("suspect")! > 0) return true;
    if (lane === "suspect") return total() > 0;
    if (makesRoom()) return true;
    return lane === "bulk" && running.get("bulk")! >= bulkSlots;
  };
  return {
    closed: () => reportLanes.filter((lane) => unserved.includes(lane) || isShut(lane)),
    async run(lane, work) {
      if (running.get("suspect")! > 0 || (lane === "suspect" && total() > 0)) {
        throw new LaneBusyError("A suspect report runs without company.");
      }
      if (lane === "suspect" && makesRoom()) room!.onUsed();
      if (lane === "suspect") room = null;
      const start = { at: performance.now() };
      startTimes.add(start);
      running.set(lane, running.get(lane)! + 1);
      try {
        return await work();
      } finally {
        running.set(lane, running.get(lane)! - 1);
        startTimes.delete(start);
        if (lane === "suspect") restUntil = 2 * performance.now() - start.at;
      }
    },
    runsSuspect: () => running.get("suspect")! > 0,
    mayMakeRoom: () => running.get("suspect") === 0 && !makesRoom() && performance.now() >= restUntil,
    oldestRunMs: () => Math.max(0, ...[...startTimes].map(({ at }) => performance.now() - at)),
    makeRoom(forMs, onUsed) {
      room = { until: performance.now() + forMs, onUsed };
    },
  };
}

/** The lane that a job's flags name. */
export function laneOf(flags: Readonly<Record<string, boolean>> | null): ReportLane {
  return reportLanes.find((lane) => flags?.[lane] === true) ?? "quick";
}
