/** Time and chance. Tests bring their own. */
export interface Pacing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Rejects with the signal's reason. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  /** After which a request that nobody answers is given up, in milliseconds; longer than any wait that the gateway grants. */
  readonly responseTimeoutMs: number;
}

export const pacing: Pacing = {
  now: () => Date.now(),
  random: () => Math.random(),
  responseTimeoutMs: 60_000,
  async pause(ms, signal) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    await unlessAborted(promise, signal).finally(() => clearTimeout(timer));
  },
};

/**
 * What comes of the promise, unless the signal aborts first: then its reason. Core's function of that name is not used: of core the client
 * takes types alone.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // The reason is the caller's own.
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

/**
 * Does the work with a signal that aborts with the given one, and after so many milliseconds for that reason. Beyond 24 days a timer would
 * end at once, and nothing takes 23 days.
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (either: AbortSignal) => Promise<T>,
  reason?: unknown,
): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason), Math.min(ms, 2_000_000_000));
  try {
    return await work(AbortSignal.any([signal ?? late.signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
