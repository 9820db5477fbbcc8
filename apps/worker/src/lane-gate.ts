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
  /** Nothing but suspects is taken for this long, or until one begins: otherwise a busy worker would never be empty. */
  makeRoom(forMs: number): void;
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
  let roomUntil = 0;
  const total = (): number => [...running.values()].reduce((sum, count) => sum + count, 0);
  const isShut = (lane: ReportLane): boolean => {
    if (running.get("suspect")! > 0) return true;
    if (lane === "suspect") return total() > 0;
    if (performance.now() < roomUntil) return true;
    return lane === "bulk" && running.get("bulk")! >= bulkSlots;
  };
  return {
    closed: () => reportLanes.filter((lane) => unserved.includes(lane) || isShut(lane)),
    async run(lane, work) {
      if (running.get("suspect")! > 0 || (lane === "suspect" && total() > 0)) {
        throw new LaneBusyError("A suspect report runs without company.");
      }
      if (lane === "suspect") roomUntil = 0;
      running.set(lane, running.get(lane)! + 1);
      try {
        return await work();
      } finally {
        running.set(lane, running.get(lane)! - 1);
      }
    },
    runsSuspect: () => running.get("suspect")! > 0,
    makeRoom(forMs) {
      roomUntil = performance.now() + forMs;
    },
  };
}

/** The lane that a job's flags name. */
export function laneOf(flags: Readonly<Record<string, boolean>> | null): ReportLane {
  return reportLanes.find((lane) => flags?.[lane] === true) ?? "quick";
}
