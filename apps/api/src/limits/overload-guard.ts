import { RateLimitedError } from "@reports/core";
import type { OverloadLimits, QueueLoad } from "@reports/core";

/** For how long one look at the queue serves every start. */
const refreshMs = 1_000;
const retryAfterSeconds = 15;

/**
 * Makes what refuses starts while too much waits for the workers, or waits too long: RateLimitedError. The queue is looked at once a
 * second, and again when as many starts have passed as it had room for, so that refusing costs nothing and a rush does not overrun the
 * limit; rejects with StoreUnavailableError when it cannot be looked at.
 */
export function createOverloadGuard(options: {
  readonly readLoad: () => Promise<QueueLoad>;
  readonly limits: OverloadLimits;
  readonly now?: () => number;
}): () => Promise<void> {
  const { readLoad, limits, now = () => performance.now() } = options;
  let load: QueueLoad | undefined;
  let looking: Promise<void> | undefined;
  let lookedAt = 0;
  let passed = 0;

  async function look(): Promise<void> {
    looking ??= (async () => {
      try {
        load = await readLoad();
        lookedAt = now();
        passed = 0;
      } catch (error) {
        // A failure is not kept: the next start looks again.
        load = undefined;
        throw error;
      } finally {
        looking = undefined;
      }
    })();
    return looking;
  }

  return async () => {
    if (limits.waiting === 0 && limits.oldestWaitSeconds === 0) return;
    for (;;) {
      const ageMs = now() - lookedAt;
      const fault = load === undefined || ageMs >= 2 * refreshMs ? null : faultOf(load, limits);
      if (fault !== null) {
        // Refusing is not to wait for the look that may end it.
        if (ageMs >= refreshMs) look().catch(() => undefined);
        throw refusal(fault, limits);
      }
      const isFull = load !== undefined && limits.waiting > 0 && load.waiting + passed >= limits.waiting;
      if (load !== undefined && ageMs < refreshMs && !isFull) break;
      await look();
    }
    passed += 1;
  };
}

function faultOf({ waiting, oldestWaitMs }: QueueLoad, limits: OverloadLimits): string | null {
  if (limits.waiting > 0 && waiting >= limits.waiting) return "too many reports are waiting";
  const isOld = limits.oldestWaitSeconds > 0 && (oldestWaitMs ?? 0) >= limits.oldestWaitSeconds * 1000;
  return isOld ? "reports are waiting too long" : null;
}

function refusal(fault: string, limits: OverloadLimits): RateLimitedError {
  return new RateLimitedError("overloaded", `Nothing was started, because ${fault} already. Try again later.`, {
    retryAfterSeconds,
    quotas: [{ name: "queue", limit: limits.waiting, remaining: 0, windowSeconds: null, resetSeconds: null }],
  });
}
