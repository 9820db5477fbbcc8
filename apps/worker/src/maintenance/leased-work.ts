/** Leases that all workers share. */
export interface Leases {
  /** Takes the lease unless somebody took it within that time. */
  take(name: string, everyMs: number): Promise<boolean>;
  release(name: string): Promise<void>;
}

/** Work of which each round is done by one of all workers. */
export interface LeasedWorkOptions {
  readonly leases: Leases;
  readonly lease: string;
  /** Between two rounds of all workers together. */
  readonly everyMs: number;
  /** A clock that nobody sets; default that of the process. */
  readonly now?: (() => number) | undefined;
}

/** After the first failure in a row; after each further one twice as long, because a round may read the whole store before it fails. */
const firstRetryMs = 60_000;

/**
 * Makes what looks whether a round is this worker's, and does it; false where it is not. What failed is begun again before its time, by
 * whichever worker looks next: this one lets the others go first, which may be able to do what it cannot.
 */
export function createLeasedWork(
  { leases, lease, everyMs, now = () => performance.now() }: LeasedWorkOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): (signal: AbortSignal) => Promise<boolean> {
  let failures = 0;
  let retryAt: number | null = null;
  return async (signal) => {
    // Released only now, and again where that fails: until then no other worker runs into the same failure.
    if (retryAt !== null && now() >= retryAt) {
      await leases.release(lease);
      retryAt = null;
      return false;
    }
    if (!(await leases.take(lease, everyMs))) return false;
    try {
      await work(signal);
    } catch (error) {
      const waitMs = firstRetryMs * 2 ** failures;
      if (waitMs < everyMs) retryAt = now() + waitMs;
      failures += 1;
      throw error;
    }
    failures = 0;
    retryAt = null;
    return true;
  };
}
