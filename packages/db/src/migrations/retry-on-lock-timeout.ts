import { StoreUnavailableError } from "@reports/core/base";
import { setTimeout as delay } from "node:timers/promises";
import { firstErrorCodeOf } from "../database/store-error.ts";

/** Longest wait in ms for a table's lock. It is short, because every later user of the table, even a reader, waits behind this request. */
export const tableLockTimeoutMs = 500;
/** Limit in ms of all attempts together. The service's own transactions end within seconds, but long reports and dumps may hold locks longer. */
export const defaultLockWaitMs = 300_000;

const pauseMs = 500;
const reportEveryMs = 10_000;
const lockStates = new Set(["55P03", "40P01"]);

export interface LockRetryOptions {
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with a sentence for the operator after the first failed attempt, and then every ten seconds. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** Repeats `attempt` until it gets its locks. `subject` names the locked tables in messages. Rejects with StoreUnavailableError after `waitMs`. */
export async function retryOnLockTimeout<T>(
  { waitMs = defaultLockWaitMs, signal, onWait, subject }: LockRetryOptions & { readonly subject: () => string },
  attempt: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let dueAt = -Infinity;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!lockStates.has(firstErrorCodeOf(error) ?? "")) throw error;
      if (performance.now() >= until)
        throw new StoreUnavailableError(
          `Other sessions, such as a long report or a dump, kept ${subject()} in use for ${Math.round(waitMs / 1_000)} s; pg_locks shows which. Try again when they have ended.`,
          { cause: error },
        );
    }
    if (performance.now() >= dueAt) {
      dueAt = performance.now() + reportEveryMs;
      const remainingSeconds = Math.ceil(Math.max(0, until - performance.now()) / 1_000);
      onWait?.(
        `Other sessions, such as a long report or a dump, use ${subject()}. Waiting for them, ${remainingSeconds} s more at most.`,
      );
    }
    // The pause is random, so that the attempts don't always coincide with the same periodic work of the service.
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal });
  }
}
