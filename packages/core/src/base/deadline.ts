// `withDeadline` of @reports/runtime is similar, but has a timer that keeps the process alive. Neither package may import the other.

/** Returns the result of `work`. After an abort, rejects immediately with the signal's reason. `work` continues, and its result is ignored. */
export async function awaitUnlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
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

/** Returns the result of `work`. After `timeoutMs`, aborts it and rejects with the error from `late()`. The timer does not keep the process alive. */
export async function runWithTimeLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  const over = new AbortController();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = late();
    // Reject before the abort. Otherwise, the caller would get the error with which the aborted `work` rejects.
    reject(error);
    over.abort(error);
  }, timeoutMs).unref();
  try {
    return await Promise.race([work(over.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
