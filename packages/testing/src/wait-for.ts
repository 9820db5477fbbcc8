import { setTimeout as delay } from "node:timers/promises";

/** What is being waited for, in words for the error, and how long at most. */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  /** Pause between checks. Default: 20 ms, then a tenth of the time that was waited, up to 500 ms. */
  readonly intervalMs?: number;
}

/**
 * Checks the condition until it returns something truthy, and returns that. Pauses grow with the wait, because many checks send a request.
 * Rejects with the error of the condition, or with `what` when the time is over.
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
