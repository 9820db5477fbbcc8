import { DomainError } from "../base/errors.ts";
import type { ProblemCode } from "../base/problems/problem-catalogue.ts";

/** How much of one limit is left, as callers are told. docs/reference/limits.md#limits-of-requests. */
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
