/** How many permits there are, and how many may wait for one. */
export interface FairSemaphoreLimits {
  readonly permits: number;
  /** How many permits are reserved for callers who hold none. */
  readonly reserved: number;
  readonly maxWaiting: number;
}

/** A semaphore whose permits are shared fairly between callers. */
export interface FairSemaphore {
  /**
   * Resolves with a permit's release once the caller gets one; releasing twice does nothing. Rejects with the signal's reason when that aborts
   * before, and with the error of `refuse` when too many wait.
   */
  acquire(caller: string, signal?: AbortSignal): Promise<() => void>;
  /** Holds a permit while the work is done. Rejects as `acquire` does, and as the work does. */
  run<T>(caller: string, work: () => Promise<T>): Promise<T>;
  /** Throws the error of `refuse` where `acquire` would now reject with it, so that nothing is spent on a caller who would be refused. */
  assertAvailable(caller: string): void;
  /** How many wait. */
  readonly waiting: number;
}

interface Waiter {
  begin(): void;
  refuse(): void;
}

/**
 * Fair scheduling by caller: the caller who holds the fewest permits is next, and among equals the one who was served longest ago. A caller
 * who holds permits gets another one only while more than `reserved` of them are free, so that a few greedy callers leave some to others.
 * When the queue is full, the caller with the most waiting calls loses the latest of them to a caller with fewer.
 */
export function createFairSemaphore(limits: FairSemaphoreLimits, refuse: () => Error): FairSemaphore {
  const held = new Map<string, number>();
  /** The caller who was served longest ago comes first. None of them may hold one more at present. */
  const queues = new Map<string, Set<Waiter>>();
  let heldCount = 0;
  let waitingCount = 0;

  const heldBy = (caller: string): number => held.get(caller) ?? 0;
  const mayHoldOneMore = (caller: string): boolean =>
    limits.permits - heldCount > (heldBy(caller) === 0 ? 0 : limits.reserved);

  function take(caller: string): () => void {
    heldCount += 1;
    held.set(caller, heldBy(caller) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      heldCount -= 1;
      if (heldBy(caller) === 1) held.delete(caller);
      else held.set(caller, heldBy(caller) - 1);
      moveToBack(caller);
      serveWaiting();
    };
  }

  function moveToBack(caller: string): void {
    const queue = queues.get(caller);
    if (queue === undefined) return;
    queues.delete(caller);
    queues.set(caller, queue);
  }

  function serveWaiting(): void {
    for (;;) {
      const callers = [...queues.keys()].filter(mayHoldOneMore);
      const [first] = callers.toSorted((a, b) => heldBy(a) - heldBy(b));
      if (first === undefined) return;
      const [next] = queues.get(first)!;
      moveToBack(first);
      next!.begin();
    }
  }

  function dequeue(caller: string, waiter: Waiter): void {
    const queue = queues.get(caller);
    if (queue?.delete(waiter) !== true) return;
    waitingCount -= 1;
    if (queue.size === 0) queues.delete(caller);
  }

  /** Whose latest call is to make way for the caller's: "nobody" while the queue is not full, undefined when no caller has more waiting. */
  function findVictim(caller: string): Waiter | "nobody" | undefined {
    if (waitingCount < limits.maxWaiting) return "nobody";
    const own = queues.get(caller)?.size ?? 0;
    const longest = [...queues.values()].reduce<ReadonlySet<Waiter>>(
      (most, queue) => (queue.size > most.size ? queue : most),
      new Set(),
    );
    return longest.size <= own + 1 ? undefined : [...longest].at(-1);
  }

  async function acquire(caller: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    // Nobody is overtaken: none of those who wait may hold one more.
    if (mayHoldOneMore(caller)) return take(caller);
    const victim = findVictim(caller);
    if (victim === undefined) throw refuse();
    if (victim !== "nobody") victim.refuse();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const end = (then: () => void): void => {
      signal?.removeEventListener("abort", leave);
      dequeue(caller, waiter);
      then();
    };
    const leave = (): void => end(() => reject(signal!.reason as Error));
    const waiter: Waiter = {
      begin: () => end(() => resolve(take(caller))),
      refuse: () => end(() => reject(refuse())),
    };
    const queue = queues.get(caller) ?? new Set();
    queues.set(caller, queue.add(waiter));
    waitingCount += 1;
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }

  return {
    acquire,
    async run(caller, work) {
      const release = await acquire(caller);
      try {
        return await work();
      } finally {
        release();
      }
    },
    assertAvailable(caller) {
      if (!mayHoldOneMore(caller) && findVictim(caller) === undefined) throw refuse();
    },
    get waiting() {
      return waitingCount;
    },
  };
}
