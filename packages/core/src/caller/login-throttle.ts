import type { QuotaState } from "./rate-limit.ts";

/** Failures within a sliding minute after which logins are refused. 0 turns a limit off. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}

/** docs/reference/limits.md#limits-of-requests describes the address's limit. The account's stops guesses from many addresses. */
export const defaultLoginLimits: LoginLimits = { perAddress: 10, perAccount: 50 };

export interface LoginAttempt {
  /** The client's address in canonical form. */
  readonly address: string;
  readonly account: string;
}

/** Counts failed logins exactly over all instances: an address never gets more than the limit of responses per minute. */
export interface LoginThrottle {
  /** Returns the exhausted quota, or null if the attempt is allowed. Rejects with StoreUnavailableError. */
  findExhausted(attempt: LoginAttempt): Promise<LoginRefusal | null>;
  /** Counts a failure. Returns a refusal if the limit was reached before: then the failure itself is not revealed. */
  countFailure(attempt: LoginAttempt): Promise<LoginRefusal | null>;
}

/** Refuses nobody: for tests of something else. */
export const unlimitedLogins: LoginThrottle = {
  findExhausted: async () => null,
  countFailure: async () => null,
};

export interface LoginRefusal {
  readonly by: "address" | "account";
  readonly quota: QuotaState;
}
