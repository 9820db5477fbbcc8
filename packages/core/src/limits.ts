import { DomainError } from "./errors.ts";
import type { ProblemCode } from "./http/problem-catalogue.ts";
import type { ReportLane } from "./report/lane.ts";

/** How much of one limit is left, as callers are told. docs/contract.md §7.4. */
export interface QuotaState {
  /** Stable name, such as `starts`. */
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  /** Length of the window; null for a limit on what exists at once. */
  readonly windowSeconds: number | null;
  /** Until more is to be had; null when that is not known. */
  readonly resetSeconds: number | null;
}

/** The caller asks for more than a limit allows. Nothing was done; the same request is right later. */
export class RateLimitedError extends DomainError {
  override readonly name = "RateLimitedError";
  readonly quotas: readonly QuotaState[];

  constructor(
    code: ProblemCode,
    message: string,
    details: { readonly retryAfterSeconds: number; readonly quotas?: readonly QuotaState[] },
  ) {
    super("rate-limited", code, message, { retryAfterSeconds: details.retryAfterSeconds });
    this.quotas = details.quotas ?? [];
  }
}

/** What one principal may start, over all instances. 0 switches a limit off. */
export interface StartLimits {
  readonly perMinute: number;
  /** Reports of theirs that are QUEUED or RUNNING. */
  readonly unfinished: number;
}

/** Anybody may start anything: for tests of something else. */
export const unlimitedStarts: StartLimits = { perMinute: 0, unfinished: 0 };

/** docs/contract.md §7.4. */
export const defaultStartLimits: StartLimits = { perMinute: 20, unfinished: 5 };

/** Failures within a sliding minute after which logins are refused. 0 switches a limit off. */
export interface LoginLimits {
  readonly perAddress: number;
  readonly perAccount: number;
}

/** The address's is that of docs/contract.md §7.4; the account's stops a guess that is spread over many addresses. */
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

/** Counts tokens of links that led nowhere, over all instances, exactly. */
export interface LinkThrottle {
  /**
   * Counts one of this address, in its canonical spelling. The quota, when the limit was reached before it: then even that it led nowhere stays
   * untold. Rejects with StoreUnavailableError.
   */
  countFailure(address: string): Promise<QuotaState | null>;
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

/** How much of one lane waits for the workers. */
export interface QueueLoad {
  /** Reports that could run now. May stop counting a little above the limits. */
  readonly waiting: number;
  /** How long the oldest of them could have run already; null when none waits. */
  readonly oldestWaitMs: number | null;
}

/** A lane of the queue as a whole. */
export interface LaneLoad extends QueueLoad {
  readonly lane: ReportLane;
  /** Jobs that some worker holds. */
  readonly running: number;
  /** Living workers that serve the lane and were not told to stop. */
  readonly workers: number;
}

/** Above which load of a lane nothing more is started in it. 0 switches a limit off. */
export interface OverloadLimits {
  readonly waiting: number;
  readonly oldestWaitSeconds: number;
}

/** What stands before the name of one of our own users in a principal's id. No other principal's id begins so. */
export const userPrincipalPrefix = "basic:";

/**
 * Whether the one who asked for a report may still have it: a user of ours is looked up again, because authorities can be lost while a
 * report waits. Rejects with StoreUnavailableError.
 */
export type RequesterCheck = (reportId: string) => Promise<boolean>;
