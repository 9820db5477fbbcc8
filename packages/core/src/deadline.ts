/**
 * What the work comes to; rejects with the signal's reason at the moment at which that aborts, even if the work goes on. What becomes of the
 * work then is nobody's business any more.
 */
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
 * What the work comes to within `timeoutMs`; rejects then with what `late` makes, which is the reason of the work's signal too. Waiting for it
 * keeps no process alive.
 */
export async function withinTime<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  late: () => Error,
): Promise<Result> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late()), timeoutMs).unref();
  try {
    return await unlessAborted(work(over.signal), over.signal);
  } finally {
    clearTimeout(timer);
  }
}
