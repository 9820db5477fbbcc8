import { StoreUnavailableError } from "@reports/core/base";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../database/store-error.ts";

/**
 * How long a statement that changes a table waits for its lock. Whoever comes for the table meanwhile waits behind it, readers too, so
 * that it is short and tried again, instead of long.
 */
export const lockTimeoutMs = 500;
/** How long the attempts go on. Transactions of the service end within seconds, those of long reports and dumps may not. */
export const defaultLockWaitMs = 300_000;

const pauseMs = 500;
const tellEveryMs = 10_000;
/** SQLSTATEs of a lock that was not had in time, or that two sessions wanted of each other. */
const lockStates = new Set(["55P03", "40P01"]);

export interface LockWait {
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what is waited for, soon and every ten seconds, in a sentence for a person. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/**
 * Attempts something that may be done again where it failed, such as a transaction, until it gets the locks that it needs. `subject`
 * names what is locked, for whoever reads why nothing goes on. Rejects with StoreUnavailableError when that takes too long.
 */
export async function retryLocks<T>(
  { waitMs = defaultLockWaitMs, signal, onWait, subject }: LockWait & { readonly subject: () => string },
  attempt: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + waitMs;
  let dueAt = -Infinity;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!lockStates.has(codeOf(error) ?? "")) throw error;
      if (performance.now() >= until)
        throw new StoreUnavailableError(
          `Other sessions, such as a long report or a dump, kept ${subject()} in use for ${Math.round(waitMs / 1_000)} s; pg_locks shows which. Try again when they have ended.`,
          { cause: error },
        );
    }
    if (performance.now() >= dueAt) {
      dueAt = performance.now() + tellEveryMs;
      const leftSeconds = Math.ceil(Math.max(0, until - performance.now()) / 1_000);
      onWait?.(
        `Other sessions, such as a long report or a dump, use ${subject()}. Waiting for them, ${leftSeconds} s more at most.`,
      );
    }
    // Not in step with whatever comes at regular times.
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal });
  }
}
