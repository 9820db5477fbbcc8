import { StoreUnavailableError } from "@reports/core/base";
import { setTimeout as delay } from "node:timers/promises";
import { codeOf } from "../database/store-error.ts";

/** Longest wait in ms of a statement for a table's lock. It is short and repeated, because all later users of the table, including readers, wait behind it. */
export const lockTimeoutMs = 500;
/** Limit in ms of all attempts together. Transactions of the service end within seconds, but long reports and dumps may take longer. */
export const defaultLockWaitMs = 300_000;

const pauseMs = 500;
const reportEveryMs = 10_000;
/** SQLSTATEs of a lock that was not granted in time, and of a deadlock. */
const lockStates = new Set(["55P03", "40P01"]);

export interface LockWait {
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with a sentence for the operator: after the first failed attempt, and then every ten seconds. */
  readonly onWait?: ((message: string) => void) | undefined;
}

/** Repeats an attempt until it gets the locks that it needs. `subject` names what is locked, for messages. Rejects with StoreUnavailableError after `waitMs`. */
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
      dueAt = performance.now() + reportEveryMs;
      const remainingSeconds = Math.ceil(Math.max(0, until - performance.now()) / 1_000);
      onWait?.(
        `Other sessions, such as a long report or a dump, use ${subject()}. Waiting for them, ${remainingSeconds} s more at most.`,
      );
    }
    // Random, so that the attempts do not always coincide with the same periodic work.
    await delay(pauseMs * (0.5 + Math.random()), undefined, { signal });
  }
}
