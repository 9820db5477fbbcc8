import type { GatewayError } from "./errors.ts";

/** A retry that the client waits for. */
export interface Retry {
  /** The error of the failed attempt. Its status is 429, 502, 503 or 504, or 0 if there was no response. */
  readonly reason: GatewayError;
  /** The time of the next attempt. */
  readonly at: Date;
  /** The number of this retry, which starts at 1. */
  readonly number: number;
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. Also ends the wait for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the client waits for a retry. If it throws, the call rejects with its error. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Options of a write. */
export interface WriteOptions extends CallOptions {
  /** The entity tag of the version that was read. If the record has changed since, the write fails with 412. */
  readonly ifMatch?: string | undefined;
}

/** Options of the start of a report or of an additional format. */
export interface StartOptions extends CallOptions {
  /** A repeated start with the same key returns the first result again. Default: a new key. docs/reference/http.md#idempotency-keys. */
  readonly idempotencyKey?: string | undefined;
}
