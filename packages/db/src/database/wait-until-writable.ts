import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import type { Database } from "./database.ts";

const maxPauseMs = 30_000;

export async function waitUntilWritable(
  database: Pick<Database, "check">,
  options: { readonly signal: AbortSignal; readonly onWait: (reason: StoreUnavailableError) => void },
): Promise<void> {
  for (let checks = 0; ; checks++) {
    options.signal.throwIfAborted();
    const reason = await database.check().then(
      () => null,
      (error: unknown) => {
        if (error instanceof StoreUnavailableError) return error;
        throw error;
      },
    );
    if (reason === null) return;
    if (checks === 0) options.onWait(reason);
    const pauseMs = Math.min(maxPauseMs, 1_000 * 2 ** checks) * (0.5 + Math.random() / 2);
    await delay(pauseMs, undefined, { signal: options.signal }).catch(() => options.signal.throwIfAborted());
  }
}
