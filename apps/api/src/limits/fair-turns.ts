/** Limits of concurrent and of waiting calls. */
export interface FairTurnLimits {
  readonly atOnce: number;
  /** How many of those are reserved for callers who have none running. */
  readonly kept: number;
  readonly waiting: number;
}

/** Schedules a few slots fairly between callers. */
export interface FairTurns {
  /**
   * Resolves with a slot's release once the caller gets one (releasing twice does nothing). Rejects with the signal's reason when that aborts before, and with the
   * error of `turnedAway` when too many wait.
   */
  enter(caller: string, signal: AbortSignal): Promise<() => void>;
  /** How many wait. */
  readonly waiting: number;
}

interface Waiter {
  begin(): void;
  turnAway(): void;
}

/**
 * Fair scheduling by caller: the caller with the fewest running calls is next, and among equals the one that was served longest ago. A caller with
 * running calls gets another slot only while more than `kept` of them are free, so that a few greedy callers leave slots for others.
 * When the queue is full, the caller with the most waiting calls loses its latest one to a caller with fewer.
 */
export function createFairTurns(limits: FairTurnLimits, turnedAway: () => Error): FairTurns {
  const running = new Map<string, number>();
  /** The caller that was served longest ago comes first. None of them may run at present. */
  const waiting = new Map<string, Set<Waiter>>();
  let runningCount = 0;
  let waitingCount = 0;

  const runningOf = (caller: string): number => running.get(caller) ?? 0;
  const mayRun = (caller: string): boolean =>
    limits.atOnce - runningCount > (runningOf(caller) === 0 ? 0 : limits.kept);

  function take(caller: string): () => void {
    runningCount += 1;
    running.set(caller, runningOf(caller) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      runningCount -= 1;
      if (runningOf(caller) === 1) running.delete(caller);
      else running.set(caller, runningOf(caller) - 1);
      standLast(caller);
      serveWaiting();
    };
  }

  function standLast(caller: string): void {
    const queue = waiting.get(caller);
    if (queue === undefined) return;
    waiting.delete(caller);
    waiting.set(caller, queue);
  }

  function serveWaiting(): void {
    for (;;) {
      const callers = [...waiting.keys()].filter(mayRun);
      const [first] = callers.toSorted((a, b) => runningOf(a) - runningOf(b));
      if (first === undefined) return;
      const [next] = waiting.get(first)!;
      standLast(first);
      next!.begin();
    }
  }

  function forget(caller: string, waiter: Waiter): void {
    const queue = waiting.get(caller);
    if (queue?.delete(waiter) !== true) return;
    waitingCount -= 1;
    if (queue.size === 0) waiting.delete(caller);
  }

  function makeRoom(caller: string): boolean {
    if (waitingCount < limits.waiting) return true;
    const own = waiting.get(caller)?.size ?? 0;
    const longest = [...waiting.values()].reduce<ReadonlySet<Waiter>>(
      (most, queue) => (queue.size > most.size ? queue : most),
      new Set(),
    );
    if (longest.size <= own + 1) return false;
    [...longest].at(-1)!.turnAway();
    return true;
  }

  return {
    get waiting() {
      return waitingCount;
    },
    async enter(caller, signal) {
      signal.throwIfAborted();
      // Nobody is overtaken: of those who wait none may run.
      if (mayRun(caller)) return take(caller);
      if (!makeRoom(caller)) throw turnedAway();
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const end = (then: () => void): void => {
        signal.removeEventListener("abort", leave);
        forget(caller, waiter);
        then();
      };
      const leave = (): void => end(() => reject(signal.reason as Error));
      const waiter: Waiter = {
        begin: () => end(() => resolve(take(caller))),
        turnAway: () => end(() => reject(turnedAway())),
      };
      const queue = waiting.get(caller) ?? new Set();
      waiting.set(caller, queue.add(waiter));
      waitingCount += 1;
      signal.addEventListener("abort", leave, { once: true });
      return promise;
    },
  };
}
