import { DomainError } from "@reports/core";

/** Bounds of what runs and waits, in all and of one caller. */
export interface FairSlotLimits {
  readonly running: number;
  readonly runningOfOne: number;
  readonly waiting: number;
}

/** A few slots and those who wait for one. */
export interface FairSlots {
  /** Runs work in the name of a caller. Rejects with DomainError("unavailable") when too much waits already. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /** Throws what `run` would reject with now, so that nothing is spent on who would be turned away. */
  assertRoom(caller: string): void;
}

interface Waiter {
  begin(): void;
  turnAway(): void;
}

/**
 * Shares a few slots between callers: who waits is served caller by caller in turn, not in the order of arrival. Where no more may wait,
 * the caller who has most waiting loses the latest of it to one who has less, so that nobody can keep the others out.
 */
export function createFairSlots(limits: FairSlotLimits): FairSlots {
  const running = new Map<string, number>();
  /** The caller who is served next stands first. */
  const waiting = new Map<string, Waiter[]>();
  let runningCount = 0;
  let waitingCount = 0;

  const runningOf = (caller: string): number => running.get(caller) ?? 0;
  const mayRun = (caller: string): boolean => runningCount < limits.running && runningOf(caller) < limits.runningOfOne;

  function take(caller: string): void {
    runningCount += 1;
    running.set(caller, runningOf(caller) + 1);
  }

  function giveBack(caller: string): void {
    runningCount -= 1;
    if (runningOf(caller) === 1) running.delete(caller);
    else running.set(caller, runningOf(caller) - 1);
    for (const [next, queue] of waiting) {
      if (!mayRun(next)) continue;
      const waiter = queue.shift()!;
      waitingCount -= 1;
      // Behind all others that wait, if more of this caller does.
      waiting.delete(next);
      if (queue.length > 0) waiting.set(next, queue);
      take(next);
      waiter.begin();
      return;
    }
  }

  /** Whose latest work would give way to the caller's: null where more may wait, undefined where nobody has more waiting. */
  function whoGivesWay(caller: string): string | null | undefined {
    if (waitingCount < limits.waiting) return null;
    const own = waiting.get(caller)?.length ?? 0;
    const [longest, queue] = [...waiting].reduce((most, one) => (one[1].length > most[1].length ? one : most), [
      caller,
      [] as Waiter[],
    ] as const);
    return queue.length <= own + 1 ? undefined : longest;
  }

  function turnAwayLatest(caller: string): void {
    const queue = waiting.get(caller)!;
    queue.pop()!.turnAway();
    waitingCount -= 1;
    if (queue.length === 0) waiting.delete(caller);
  }

  async function wait(caller: string): Promise<void> {
    const other = whoGivesWay(caller);
    if (other === undefined) throw busy();
    if (other !== null) turnAwayLatest(other);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.get(caller) ?? [];
    queue.push({ begin: resolve, turnAway: () => reject(busy()) });
    waiting.set(caller, queue);
    waitingCount += 1;
    return promise;
  }

  // Who gives a slot back hands it on, so that nobody overtakes those who wait.
  const runsAtOnce = (caller: string): boolean => mayRun(caller) && !waiting.has(caller);

  return {
    assertRoom(caller) {
      if (!runsAtOnce(caller) && whoGivesWay(caller) === undefined) throw busy();
    },
    async run(caller, work) {
      if (runsAtOnce(caller)) take(caller);
      else await wait(caller);
      try {
        return await work();
      } finally {
        giveBack(caller);
      }
    },
  };
}

function busy(): DomainError {
  const message = "Too many passwords are being checked at once. Try again in a moment.";
  return new DomainError("unavailable", "login-busy", message, { retryAfterSeconds: 1 });
}
