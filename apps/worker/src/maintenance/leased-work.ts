interface Lease {
  /** Ends the lease early, so that another worker can take it. Has no effect if another worker has taken it since. */
  release(): Promise<void>;
}

export interface WorkLeases {
  /** Takes the lease for `everyMs`. Returns null if any worker took it within the last `everyMs`. */
  take(name: string, everyMs: number): Promise<Lease | null>;
}

export interface LeasedWorkOptions {
  readonly leases: WorkLeases;
  readonly lease: string;
  readonly everyMs: number;
  readonly now?: (() => number) | undefined;
}

/** Delay of the retry after the first failure. Each further failure doubles it, because a round can read the whole store before it fails. */
const firstRetryMs = 60_000;

/** Returns a function that does one round and returns true, or returns false if this worker does not get the lease. */
export function createLeasedWork(
  { leases, lease, everyMs, now = () => performance.now() }: LeasedWorkOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): (signal: AbortSignal) => Promise<boolean> {
  let failures = 0;
  let retry: { readonly at: number; readonly lease: Lease } | null = null;
  return async (signal) => {
    // After a failure, the lease is released only after a delay, so that the other workers do not fail in the same way immediately.
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
      // A call after `at` releases the lease, so that any worker can retry. A lease that expires before `at` needs no release.
      if (at < takenAt + everyMs) retry = { at, lease: taken };
      failures += 1;
      throw error;
    }
    failures = 0;
    return true;
  };
}
