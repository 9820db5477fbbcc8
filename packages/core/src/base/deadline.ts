// The deadlines of adapters and report types. Programs have @reports/runtime's withDeadline, which lets a process live until the deadline: neither
// package may import the other, and a package of both would be published with core.

/**
 * What the work comes to; rejects with the signal's reason at the moment at which that aborts, even if the work goes on. What becomes of the
 * work then is ignored.
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
 * What the work comes to within `timeoutMs`; rejects then with what `late` makes, which is the reason of the work's signal too. What becomes of
 * the work then is ignored. Waiting for it keeps no process alive.
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
    // Before the work hears of it and may reject with an error of its own.
    reject(error);
    over.abort(error);
  }, timeoutMs).unref();
  try {
    return await Promise.race([work(over.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
