/** A lease as one worker has taken it. */
interface Lease {
  /** Releases it, unless another worker has taken it since. */
  release(): Promise<void>;
}

/** Leases that all workers share. */
export interface Leases {
  /** Takes the lease; null where somebody took it within that time. */
  take(name: string, everyMs: number): Promise<Lease | null>;
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
  let retry: { readonly at: number; readonly lease: Lease } | null = null;
  return async (signal) => {
    // Released only now, and again where that fails: until then no other worker runs into the same failure.
    if (retry !== null && now() >= retry.at) {
      await retry.lease.release();
      retry = null;
      return false;
    }
    const takenAt = now();
    const taken = await leases.take(lease, everyMs);
    if (taken === null) return false;
    retry = null;
    try {
      await work(signal);
    } catch (error) {
      const at = now() + firstRetryMs * 2 ** failures;
      // By then the lease would have lapsed by itself.
      if (at < takenAt + everyMs) retry = { at, lease: taken };
      failures += 1;
      throw error;
    }
    failures = 0;
    return true;
  };
}
