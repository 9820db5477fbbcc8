// Unlike @reports/runtime's withDeadline, these keep no process alive. Neither package may import the other.

/** Returns the work's result; rejects with the signal's reason as soon as it aborts. A later result is ignored. */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Returns the work's result, or rejects after `timeoutMs` with the error of `late`, which also aborts the work's signal. A later result is
 * ignored. The timer keeps no process alive.
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  const over = new AbortController();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = late();
    // Rejects before the work sees the abort and rejects with its own error.
    reject(error);
    over.abort(error);
  }, timeoutMs).unref();
  try {
    return await Promise.race([work(over.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
