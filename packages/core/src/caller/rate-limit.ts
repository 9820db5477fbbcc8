import { DomainError } from "../base/errors.ts";
import type { ProblemCode } from "../base/problems/problem-catalogue.ts";

/** Remaining quota of one limit, as response headers show it to the caller. docs/reference/limits.md#limits-of-requests. */
export interface QuotaState {
  readonly name: string;
  readonly limit: number;
  readonly remaining: number;
  /** Length of the limit's window in seconds; null for a limit on a number of existing items, such as unfinished reports. */
  readonly windowSeconds: number | null;
  readonly resetSeconds: number | null;
}

/** The caller exceeds a limit. The request changed nothing, and the same request can succeed later. */
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
