/** The clock, the pauses and the random numbers of the client. Tests replace them. */
export interface ClientTiming {
  /** Returns the current time in milliseconds since 1970. */
  now(): number;
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  random(): number;
  /** Milliseconds after which a request without a response fails. Longer than the longest time for which the gateway delays a response (30 s). */
  readonly responseTimeoutMs: number;
}

export const systemClientTiming: ClientTiming = {
  now: () => Date.now(),
  random: () => Math.random(),
  responseTimeoutMs: 60_000,
  async pause(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await rejectOnAbort(promise, signal).finally(() => clearTimeout(timer));
  },
};

/** Settles like the promise, or rejects with the reason of the signal if the signal aborts first. Copied from core, which the client must not load. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // The caller chooses the reason, which need not be an Error.
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  const abort = (): void => reject(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Runs `work` with a signal that aborts with `signal`, or with `reason` after `ms` (at most 23 days: longer timers fire immediately). */
export async function runWithTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (either: AbortSignal) => Promise<T>,
  reason?: unknown,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(reason), Math.min(ms, 2_000_000_000));
  try {
    return await work(AbortSignal.any([signal ?? timeout.signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
