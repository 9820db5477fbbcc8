import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import type { Database } from "./database.ts";

/** Longest pause between two looks. */
const maxPauseMs = 30_000;

/**
 * Waits for as long as it takes until the database accepts writes: after a failover it may be a standby for a while that nobody can say.
 * Looks after 1 s, 2 s and so on, at last twice a minute. Tells once that it waits. Rejects with the signal's reason and with what is no
 * StoreUnavailableError.
 */
export async function waitUntilWritable(
  database: Pick<Database, "check">,
  options: { readonly signal: AbortSignal; readonly onWait: (reason: StoreUnavailableError) => void },
): Promise<void> {
  for (let looks = 0; ; looks++) {
    options.signal.throwIfAborted();
    const reason = await database.check().then(
      () => null,
      (error: unknown) => {
        if (error instanceof StoreUnavailableError) return error;
        throw error;
      },
    );
    if (reason === null) return;
    if (looks === 0) options.onWait(reason);
    const pauseMs = Math.min(maxPauseMs, 1_000 * 2 ** looks) * (0.5 + Math.random() / 2);
    await delay(pauseMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
  }
}
