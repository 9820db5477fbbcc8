import type { QuotaState } from "./rate-limit.ts";

/** Numbers of failed logins within a sliding minute after which further logins are refused. 0 turns a limit off. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}

/** Default limits. docs/reference/limits.md#limits-of-requests describes the limit per address. The limit per account stops password guesses from many addresses. */
export const defaultLoginLimits: LoginLimits = { perAddress: 10, perAccount: 50 };

export interface LoginAttempt {
  /** The client's IP address in normal form. */
  readonly address: string;
  readonly account: string;
}

/** Counts failed logins over all instances of the API. The count is exact: an address never gets more responses to failed logins per minute than its limit. */
export interface LoginThrottle {
  /** Returns the exhausted quota, or null if the attempt is allowed. Rejects with StoreUnavailableError. */
  findExhausted(attempt: LoginAttempt): Promise<LoginRefusal | null>;
  /** Counts a failed login. Returns a refusal if the limit was reached before; the response then must not reveal that the login failed. */
  countFailure(attempt: LoginAttempt): Promise<LoginRefusal | null>;
}

/** A throttle that refuses no login, for tests. */
export const unlimitedLogins: LoginThrottle = {
  findExhausted: async () => null,
  countFailure: async () => null,
};

export interface LoginRefusal {
  readonly by: "address" | "account";
  readonly quota: QuotaState;
}
