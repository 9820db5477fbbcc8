export interface HeldPermitCounts<Key> {
  readonly total: number;
  of(key: Key): number;
}

export interface SemaphorePolicy<Key> {
  mayAcquire(key: Key, held: HeldPermitCounts<Key>): boolean;
  /** Returns the rank of a waiting key. The lowest rank is served first, and keys of equal rank in turn. Default: all ranks are equal. */
  rank?(key: Key, held: HeldPermitCounts<Key>): number;
  /** Largest number of waiting calls of all keys. Default: no limit. */
  readonly maxWaiting?: number;
  refuse?(): Error;
}

/** Grants permits to keys, such as callers, as its policy allows. Calls of one key are served in order. */
export interface Semaphore<Key> {
  /**
   * Calls `onAcquire` when the permit is granted, and resolves with the function that releases it. Rejects with the signal's reason after an abort,
   * and with the error from `refuse` if too many calls wait.
   */
  acquire(key: Key, signal?: AbortSignal, onAcquire?: () => void): Promise<() => void>;
  run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Throws the error from `refuse` if `acquire` would reject with it now. Acquires nothing. */
  assertAvailable(key: Key): void;
  serve(): void;
  refuseWaiting(key: Key, error: Error): void;
  isWaiting(key: Key): boolean;
  readonly waiting: number;
  readonly held: HeldPermitCounts<Key>;
}

interface Waiter {
  begin(): void;
  refuse(error: Error): void;
}

/**
 * Returns a policy that serves the key with the fewest permits first. A key that holds permits gets another only while more than `reserved`
 * permits are free. So one key cannot hold all permits if `reserved` is above 0.
 */
export function createFairSemaphorePolicy(
  permits: number,
  reserved = 0,
): Pick<Required<SemaphorePolicy<unknown>>, "mayAcquire" | "rank"> {
  return {
    mayAcquire: (key, held) => permits - held.total > (held.of(key) === 0 ? 0 : reserved),
    rank: (key, held) => held.of(key),
  };
}

export function createPermitCounter<Key>(
  onRelease: (key: Key) => void = () => undefined,
): HeldPermitCounts<Key> & { take(key: Key): () => void } {
  const counts = new Map<Key, number>();
  let total = 0;
  const of = (key: Key): number => counts.get(key) ?? 0;
  return {
    of,
    get total() {
      return total;
    },
    take(key) {
      counts.set(key, of(key) + 1);
      total += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        total -= 1;
        if (of(key) === 1) counts.delete(key);
        else counts.set(key, of(key) - 1);
        onRelease(key);
      };
    },
  };
}

/**
 * Creates a semaphore. If the queue is full, a new call evicts the latest call of the key with the most waiting calls. The new call is refused
 * instead if its own key would then have as many.
 */
export function createSemaphore<Key>(policy: SemaphorePolicy<Key>): Semaphore<Key> {
  const { rank = () => 0, maxWaiting = Infinity, refuse = () => new Error("Too many calls wait.") } = policy;
  /** Waiting calls by key. The key that was served longest ago comes first. */
  const queues = new Map<Key, Set<Waiter>>();
  let waiting = 0;
  const permits = createPermitCounter<Key>((key) => {
    moveToBack(key);
    serve();
  });

  function moveToBack(key: Key): void {
    const queue = queues.get(key);
    if (queue === undefined) return;
    queues.delete(key);
    queues.set(key, queue);
  }

  function serve(): void {
    for (;;) {
      const keys = [...queues.keys()].filter((key) => policy.mayAcquire(key, permits));
      if (keys.length === 0) return;
      const key = keys.reduce((best, other) => (rank(other, permits) < rank(best, permits) ? other : best));
      const [next] = queues.get(key)!;
      moveToBack(key);
      next!.begin();
    }
  }

  /** Returns the waiting call that a new call of the key evicts: null if the queue is not full, undefined if the new call must be refused. */
  function findVictim(key: Key): Waiter | null | undefined {
    if (waiting < maxWaiting) return null;
    const own = queues.get(key)?.size ?? 0;
    let longest: ReadonlySet<Waiter> = new Set();
    for (const queue of queues.values()) if (queue.size > longest.size) longest = queue;
    return longest.size <= own + 1 ? undefined : [...longest].at(-1);
  }

  async function acquire(key: Key, signal?: AbortSignal, onAcquire?: () => void): Promise<() => void> {
    signal?.throwIfAborted();
    // Serve waiting calls first, because some may be allowed to run now. Otherwise, the new call could get a permit before them.
    serve();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const begin = (): void => {
      resolve(permits.take(key));
      onAcquire?.();
    };
    if (policy.mayAcquire(key, permits)) {
      begin();
      return promise;
    }
    const victim = findVictim(key);
    if (victim === undefined) throw refuse();
    victim?.refuse(refuse());
    const queue = queues.get(key) ?? new Set();
    const end = (then: () => void): void => {
      signal?.removeEventListener("abort", leave);
      queue.delete(waiter);
      waiting -= 1;
      if (queue.size === 0) queues.delete(key);
      then();
    };
    const waiter: Waiter = { begin: () => end(begin), refuse: (error) => end(() => reject(error)) };
    const leave = (): void => waiter.refuse(signal!.reason as Error);
    queues.set(key, queue.add(waiter));
    waiting += 1;
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }

  return {
    acquire,
    async run(key, work, signal) {
      const release = await acquire(key, signal);
      try {
        return await work();
      } finally {
        release();
      }
    },
    assertAvailable(key) {
      if (!policy.mayAcquire(key, permits) && findVictim(key) === undefined) throw refuse();
    },
    serve,
    refuseWaiting(key, error) {
      for (const waiter of queues.get(key) ?? []) waiter.refuse(error);
    },
    isWaiting: (key) => queues.has(key),
    get waiting() {
      return waiting;
    },
    held: permits,
  };
}
