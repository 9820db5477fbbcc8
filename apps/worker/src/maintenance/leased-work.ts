interface Lease {
  /** Releases the lease, unless another worker has taken it since. */
  release(): Promise<void>;
}

export interface Leases {
  /** Takes a lease. Returns null if a worker took it within the last `everyMs`. */
  take(name: string, everyMs: number): Promise<Lease | null>;
}

export interface LeasedWorkOptions {
  readonly leases: Leases;
  readonly lease: string;
  /** Time between two rounds, over all workers. */
  readonly everyMs: number;
  /** A monotonic clock; default that of the process. */
  readonly now?: (() => number) | undefined;
}

/** The first delay after a failure. It doubles each time, because a round may read the whole store before it fails. */
const firstRetryMs = 60_000;

/** Returns a function that does one round if this worker gets the lease, else returns false. */
export function createLeasedWork(
  { leases, lease, everyMs, now = () => performance.now() }: LeasedWorkOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): (signal: AbortSignal) => Promise<boolean> {
  let failures = 0;
  let retry: { readonly at: number; readonly lease: Lease } | null = null;
  return async (signal) => {
    // After a failure the lease is released late, so that other workers do not immediately fail in the same way.
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
      // A lease that has expired by the time of the retry needs no release.
      if (at < takenAt + everyMs) retry = { at, lease: taken };
      failures += 1;
      throw error;
    }
    failures = 0;
    return true;
  };
}
