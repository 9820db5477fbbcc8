import { setTimeout as wait } from "node:timers/promises";

/**
 * Repeats work at intervals until disposed, never twice at the same time. Ignores its errors, because Postgres, the store or a process can be down
 * because of a fault.
 */
export function repeatEvery(intervalMs: number, work: () => Promise<void>): Disposable {
  const stopped = new AbortController();
  const repeat = async (): Promise<void> => {
    while (!stopped.signal.aborted)
      await wait(intervalMs, undefined, { signal: stopped.signal })
        .then(work)
        .catch(() => undefined);
  };
  void repeat();
  return { [Symbol.dispose]: () => stopped.abort() };
}
