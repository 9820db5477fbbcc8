/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
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
