import type { GatewayError } from "./errors.ts";

/** A retry of a failed request, which the client reports before it waits and sends the request again. */
export interface Retry {
  /** The error of the failed attempt. Its status is 429, 502, 503 or 504, or 0 if there was no response. */
  readonly reason: GatewayError;
  /** The time at which the client sends the request again. */
  readonly at: Date;
  /** The number of this retry of the request: 1 for the first retry. */
  readonly number: number;
}

/** Options that every method accepts. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. Also ends the wait for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** Called before the client waits for a retry. If it throws, the call rejects with its error. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** Options of a method that changes or deletes a record. */
export interface WriteOptions extends CallOptions {
  /** The entity tag of the version that was read. If the record has changed since, the write fails with 412. */
  readonly ifMatch?: string | undefined;
}

/** Options of the start of a report or of an additional format. */
export interface StartOptions extends CallOptions {
  /**
   * A repeated start with the same key returns the first result again. Default: a new random key per call.
   * docs/reference/http.md#idempotency-keys.
   */
  readonly idempotencyKey?: string | undefined;
}
