import {
  RateLimitedError,
  type LoginAttempt,
  type ExhaustedLoginLimit,
  type LoginThrottle,
} from "@reports/core/caller";
import { createRefusedLoginCache } from "./refused-login-cache.ts";

export interface LoginGuard {
  /** Throws RateLimitedError while the attempt's address has too many failed logins. Returns that error if only the account has too many. */
  admit(attempt: LoginAttempt): Promise<RateLimitedError | null>;
  countFailure(attempt: LoginAttempt): Promise<void>;
}

export function createLoginGuard(options: {
  readonly throttle: LoginThrottle;
  readonly now: () => number;
}): LoginGuard {
  const { throttle, now } = options;
  const refusals = createRefusedLoginCache(now);

  return {
    async admit(attempt) {
      refusals.assertNone(attempt.address);
      const refusal = await throttle.findExhausted(attempt);
      if (refusal === null) return null;
      const error = tooManyFailuresError(refusal);
      if (refusal.by === "account") return error;
      refusals.add(attempt.address, error);
      throw error;
    },
    async countFailure(attempt) {
      const refusal = await throttle.countFailure(attempt);
      if (refusal !== null) throw tooManyFailuresError(refusal);
    },
  };
}

function tooManyFailuresError({ by, quota }: ExhaustedLoginLimit): RateLimitedError {
  const seconds = quota.resetSeconds ?? 60;
  const whose = by === "address" ? "from this address" : "with this user name";
  return new RateLimitedError(
    "too-many-failed-logins",
    `Too many failed logins ${whose}; retry Basic credentials in ${seconds} s. Bearer tokens are not affected.`,
    { retryAfterSeconds: seconds, quotas: [quota] },
  );
}
