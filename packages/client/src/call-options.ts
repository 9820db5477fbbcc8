/** What every call takes. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a write takes. */
export interface WriteOptions extends CallOptions {
  /** The entity tag of the version that was read: where it is not the current one any more, the write is refused with 412. */
  readonly ifMatch?: string | undefined;
}

/** How a report, or a further file of one, is started. */
export interface StartOptions extends CallOptions {
  /** Under which a repeated start gives the same report; one of its own when none is given. docs/reference/http.md#idempotency-keys. */
  readonly idempotencyKey?: string | undefined;
}
