export interface HeldPermits<Key> {
  readonly total: number;
  of(key: Key): number;
}

export interface SemaphorePolicy<Key> {
  /** Reports whether the key may get one more permit. */
  mayAcquire(key: Key, held: HeldPermits<Key>): boolean;
  /** The lowest rank is served first, and among equals the key that was served longest ago. Default: all equal. */
  rank?(key: Key, held: HeldPermits<Key>): number;
  /** Default: no limit. */
  readonly maxWaiting?: number;
  /** Makes the error of a call that may not wait. */
  refuse?(): Error;
}

/** Grants permits by a policy. Calls of one key are served in order. */
export interface Semaphore<Key> {
  /**
   * Resolves with the permit's release, which works only once. Calls `onAcquire` when the permit is granted. Rejects with the signal's
   * reason, and with the error of `refuse` if too many wait.
   */
  acquire(key: Key, signal?: AbortSignal, onAcquire?: () => void): Promise<() => void>;
  /** Holds a permit while the work runs. Rejects as `acquire` and the work do. */
  run<T>(key: Key, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Throws the error of `refuse` if `acquire` would now. */
  assertAvailable(key: Key): void;
  /** Serves waiting calls after a change of the policy without a release. */
  serve(): void;
  refuseWaiting(key: Key, error: Error): void;
  isWaiting(key: Key): boolean;
  readonly waiting: number;
  readonly held: HeldPermits<Key>;
}

interface Waiter {
  begin(): void;
  refuse(error: Error): void;
}

/**
 * Returns a policy that serves the key with the fewest permits first. A key that holds permits gets another only while more than `reserved`
 * are free, so that greedy callers leave some to others. With one key it is first in, first out.
 */
export function fairPolicy(
  permits: number,
  reserved = 0,
): Pick<Required<SemaphorePolicy<unknown>>, "mayAcquire" | "rank"> {
  return {
    mayAcquire: (key, held) => permits - held.total > (held.of(key) === 0 ? 0 : reserved),
    rank: (key, held) => held.of(key),
  };
}

export function createPermits<Key>(
  onRelease: (key: Key) => void = () => undefined,
): HeldPermits<Key> & { take(key: Key): () => void } {
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

/** Makes a semaphore. When the queue is full, the key with the most waiting calls loses its latest to a key with fewer. */
export function createSemaphore<Key>(policy: SemaphorePolicy<Key>): Semaphore<Key> {
  const { rank = () => 0, maxWaiting = Infinity, refuse = () => new Error("Too many calls wait.") } = policy;
  /** The key that was served longest ago comes first. */
  const queues = new Map<Key, Set<Waiter>>();
  let waiting = 0;
  const permits = createPermits<Key>((key) => {
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

  /** Returns the call to evict for one with the key: null if the queue is not full, undefined if no key has more waiting. */
  function findVictim(key: Key): Waiter | null | undefined {
    if (waiting < maxWaiting) return null;
    const own = queues.get(key)?.size ?? 0;
    let longest: ReadonlySet<Waiter> = new Set();
    for (const queue of queues.values()) if (queue.size > longest.size) longest = queue;
    return longest.size <= own + 1 ? undefined : [...longest].at(-1);
  }

  async function acquire(key: Key, signal?: AbortSignal, onAcquire?: () => void): Promise<() => void> {
    signal?.throwIfAborted();
    // The new call overtakes nobody: now no waiting call may take a permit.
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
