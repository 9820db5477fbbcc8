import { StoreUnavailableError } from "@reports/core";

/** Lets so many calls through at once, in the order in which they came; so many others wait. */
export interface CallQueue {
  /**
   * Resolves when it is the caller's turn, with what ends it. Rejects with StoreUnavailableError at once when too many wait already, and
   * with the signal's reason when that aborts: then the turn never comes.
   */
  enter(signal: AbortSignal): Promise<() => void>;
  /** How many have their turn now or wait for it, and how many of those wait. */
  load(): { readonly open: number; readonly waiting: number };
}

/** A queue in which nobody waits yet. */
export function createCallQueue(limits: { readonly atOnce: number; readonly waiting: number }): CallQueue {
  const waiting = new Set<() => void>();
  let running = 0;

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) running--;
    else next();
  };

  return {
    load: () => ({ open: running + waiting.size, waiting: waiting.size }),
    async enter(signal) {
      signal.throwIfAborted();
      if (running < limits.atOnce) {
        running++;
        return leave;
      }
      if (waiting.size >= limits.waiting) {
        throw new StoreUnavailableError(
          `Postgres cannot keep up: ${limits.waiting} calls are waiting for a connection; try again later.`,
        );
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      const giveUp = (): void => {
        waiting.delete(take);
        reject(signal.reason as Error);
      };
      const take = (): void => {
        waiting.delete(take);
        signal.removeEventListener("abort", giveUp);
        resolve(leave);
      };
      waiting.add(take);
      signal.addEventListener("abort", giveUp, { once: true });
      return promise;
    },
  };
}
