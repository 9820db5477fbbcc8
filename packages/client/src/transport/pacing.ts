/** Time and chance. Tests bring their own. */
export interface Pacing {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason. */
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** From 0 to 1. */
  random(): number;
}

/** The real ones. */
export const pacing: Pacing = {
  now: () => Date.now(),
  random: () => Math.random(),
  async pause(ms, signal) {
    await unlessAborted(signal, (resolve) => {
      const timer = setTimeout(resolve, ms);
      return () => clearTimeout(timer);
    });
  },
};

/** What `begin` resolves, unless the signal aborts first; `begin` returns how to end it early. */
export async function unlessAborted<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T | PromiseLike<T>) => void) => (() => void) | void,
): Promise<T> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = begin(resolve);
  const abort = (): void => {
    end?.();
    // The reason is the caller's own.
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    reject(signal?.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
