import { setTimeout as wait } from "node:timers/promises";

/**
 * Repeats work at intervals until disposed, never twice at the same time. By default, ignores its errors, because Postgres, the store or a process can
 * be down because of a fault. If `onError` throws, the error ends the run.
 */
export function repeatEvery(
  intervalMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void = () => undefined,
): Disposable {
  const stopped = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!stopped.signal.aborted)
      await wait(intervalMs, undefined, { signal: stopped.signal })
        .then(work)
        .catch((error: unknown) => {
          if (!stopped.signal.aborted) onError(error);
        });
  };
  void repeat();
  return { [Symbol.dispose]: () => stopped.abort() };
}

export function endRunWith(error: unknown): never {
  throw error;
}
