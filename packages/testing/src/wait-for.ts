import { setTimeout as delay } from "node:timers/promises";

export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  /** Pause between checks. Default: a tenth of the time waited so far, but at least 20 ms and at most 500 ms. */
  readonly intervalMs?: number;
}

/**
 * Calls `condition` repeatedly until it returns a truthy value, and returns that value. Pauses grow, because many conditions send a request.
 * Rejects with the error of `condition`, or after the timeout with an error that contains `what`.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const { what, timeoutMs = 45_000, intervalMs } = options;
  const startedAt = performance.now();
  for (;;) {
    const result = await condition();
    if (result) return result as Exclude<T, false | null | undefined | 0 | "">;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= timeoutMs) throw new Error(`Waited ${timeoutMs} ms for ${what} without success.`);
    await delay(intervalMs ?? Math.min(Math.max(20, waitedMs / 10), 500));
  }
}
