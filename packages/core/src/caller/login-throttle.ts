import type { QuotaState } from "./rate-limit.ts";

/** Failures within a sliding minute after which logins are refused. 0 switches a limit off. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}

/** The address's is that of docs/reference/limits.md#limits-of-requests; the account's stops a guess that is spread over many addresses. */
export const defaultLoginLimits: LoginLimits = { perAddress: 10, perAccount: 50 };

/** From where, and as whom, somebody tries to log in. */
export interface LoginAttempt {
  /** Client's address in one canonical spelling. */
  readonly address: string;
  readonly account: string;
}

/** Counts failed logins over all instances, exactly: of one address never more than the limit are answered within a minute. */
export interface LoginThrottle {
  /**
   * The quota that refuses an attempt now, or null when it may be tried.
   * Rejects with StoreUnavailableError.
   */
  findExhausted(attempt: LoginAttempt): Promise<LoginRefusal | null>;
  /** Counts a failure. A refusal when the limit was reached before it: then even that the login failed stays untold. */
  countFailure(attempt: LoginAttempt): Promise<LoginRefusal | null>;
}

/** Counts nothing and refuses nobody: for tests of something else. */
export const unlimitedLogins: LoginThrottle = {
  findExhausted: async () => null,
  countFailure: async () => null,
};

/** Which of the two limits refuses a login. */
export interface LoginRefusal {
  readonly by: "address" | "account";
  readonly quota: QuotaState;
}
