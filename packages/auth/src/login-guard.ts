import { RateLimitedError } from "@reports/core";
import type { LoginAttempt, LoginRefusal, LoginThrottle } from "@reports/core";
import { LRUCache } from "lru-cache";

/** For how long a refusal is remembered, so that a flood of logins costs one look at the database a second and address. */
const rememberRefusalMs = 1_000;
const maxRemembered = 10_000;

/** Stands before the verification of passwords and keeps guessers out. */
export interface LoginGuard {
  /** Throws RateLimitedError while the address has too many failures. Gives back that error where only the account has. */
  admit(attempt: LoginAttempt): Promise<RateLimitedError | null>;
  /** Counts a failure. Throws RateLimitedError where there were too many before it. */
  countFailure(attempt: LoginAttempt): Promise<void>;
}

/** Makes the guard over failures that are counted elsewhere. docs/contract.md §7.4. */
export function createLoginGuard(options: {
  readonly throttle: LoginThrottle;
  readonly now: () => number;
}): LoginGuard {
  const { throttle, now } = options;
  // What is forgotten is looked up again: the failures themselves are counted elsewhere.
  const refusals = new LRUCache<string, RateLimitedError>({
    max: maxRemembered,
    ttl: rememberRefusalMs,
    ttlResolution: 0,
    perf: { now },
  });

  return {
    async admit(attempt) {
      const remembered = refusals.get(attempt.address);
      if (remembered !== undefined) throw remembered;
      const refusal = await throttle.findExhausted(attempt);
      if (refusal === null) return null;
      const error = tooManyFailures(refusal);
      if (refusal.by === "account") return error;
      refusals.set(attempt.address, error);
      throw error;
    },
    async countFailure(attempt) {
      const refusal = await throttle.countFailure(attempt);
      if (refusal !== null) throw tooManyFailures(refusal);
    },
  };
}

function tooManyFailures({ by, quota }: LoginRefusal): RateLimitedError {
  const seconds = quota.resetSeconds ?? 60;
  const whose = by === "address" ? "from this address" : "with this user name";
  return new RateLimitedError(
    "too-many-failed-logins",
    `Too many failed logins ${whose}; retry Basic credentials in ${seconds} s. Bearer tokens are not affected.`,
    { retryAfterSeconds: seconds, quotas: [quota] },
  );
}
