import { RateLimitedError } from "@reports/core";
import type { OverloadLimits, QueueLoad } from "@reports/core";

/** For how long one look at the queue serves every start. */
const refreshMs = 1_000;
const retryAfterSeconds = 15;

/**
 * Makes what refuses starts while too much waits for the workers, or waits too long: RateLimitedError. The queue is looked at once a
 * second at most, so that refusing costs nothing; rejects with StoreUnavailableError when it cannot be looked at.
 */
export function createOverloadGuard(options: {
  readonly readLoad: () => Promise<QueueLoad>;
  readonly limits: OverloadLimits;
  readonly now?: () => number;
}): () => Promise<void> {
  const { readLoad, limits, now = () => performance.now() } = options;
  let load: Promise<QueueLoad> | undefined;
  let refreshAt = 0;

  async function currentLoad(): Promise<QueueLoad> {
    if (load === undefined || now() >= refreshAt) {
      refreshAt = now() + refreshMs;
      load = readLoad();
      // A failure is not kept: the next start looks again.
      load.catch(() => (load = undefined));
    }
    return load;
  }

  return async () => {
    if (limits.waiting === 0 && limits.oldestWaitSeconds === 0) return;
    const { waiting, oldestWaitMs } = await currentLoad();
    const isLong = limits.waiting > 0 && waiting >= limits.waiting;
    const isOld = limits.oldestWaitSeconds > 0 && (oldestWaitMs ?? 0) >= limits.oldestWaitSeconds * 1000;
    if (!isLong && !isOld) return;
    const fault = isLong ? "too many reports are waiting" : "reports are waiting too long";
    throw new RateLimitedError("overloaded", `Nothing was started, because ${fault} already. Try again later.`, {
      retryAfterSeconds,
      quotas: [{ name: "queue", limit: limits.waiting, remaining: 0, windowSeconds: null, resetSeconds: null }],
    });
  };
}
