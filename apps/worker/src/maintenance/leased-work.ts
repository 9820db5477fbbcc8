interface Lease {
  /** Releases it, unless another worker has taken it since. */
  release(): Promise<void>;
}

export interface Leases {
  /** Null if someone took it within `everyMs`. */
  take(name: string, everyMs: number): Promise<Lease | null>;
}

export interface LeasedWorkOptions {
  readonly leases: Leases;
  readonly lease: string;
  /** Between two rounds of all workers together. */
  readonly everyMs: number;
  /** A monotonic clock; default that of the process. */
  readonly now?: (() => number) | undefined;
}

/** The first retry delay, which doubles, because a round may read the whole store before it fails. */
const firstRetryMs = 60_000;

/** The function does a round, or returns false if others do it. After a failure, others may repeat it early; this one waits. */
export function createLeasedWork(
  { leases, lease, everyMs, now = () => performance.now() }: LeasedWorkOptions,
  work: (signal: AbortSignal) => Promise<unknown>,
): (signal: AbortSignal) => Promise<boolean> {
  let failures = 0;
  let retry: { readonly at: number; readonly lease: Lease } | null = null;
  return async (signal) => {
    // Released only now: until then no other worker meets the same failure.
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
      // Later the lease lapses by itself.
      if (at < takenAt + everyMs) retry = { at, lease: taken };
      failures += 1;
      throw error;
    }
    failures = 0;
    return true;
  };
}
