import type { QuotaState } from "./rate-limit.ts";

/** Numbers of failed logins within a sliding minute after which further logins are refused. 0 turns a limit off. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}

/** The limit per account stops password guesses from many addresses. docs/reference/limits.md#limits-of-requests describes the limit per address. */
export const defaultLoginLimits: LoginLimits = { perAddress: 10, perAccount: 50 };

export interface LoginAttempt {
  readonly address: string;
  readonly account: string;
}

/** Counts failed logins exactly, over all instances of the API. Per minute, responses reveal at most `perAddress` failed logins to one address. */
export interface LoginThrottle {
  /** Returns the exhausted limit, or null if the login may be tried. Rejects with StoreUnavailableError. */
  findExhausted(attempt: LoginAttempt): Promise<ExhaustedLoginLimit | null>;
  /**
   * Counts a failed login. If a limit was already reached, returns that limit, and the response must not reveal that the login failed. Otherwise
   * returns null.
   */
  countFailure(attempt: LoginAttempt): Promise<ExhaustedLoginLimit | null>;
}

export const unlimitedLoginThrottle: LoginThrottle = {
  findExhausted: async () => null,
  countFailure: async () => null,
};

export interface ExhaustedLoginLimit {
  readonly by: "address" | "account";
  readonly quota: QuotaState;
}
