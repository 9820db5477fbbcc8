import { setTimeout as delay } from "node:timers/promises";

/** What is being waited for, in words for the error, and how long at most. */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  /** Pause after the first check. Default: 20 ms. */
  readonly intervalMs?: number;
}

/** A pause lengthens a wait by a tenth at most, and by half a second. */
const [pausePerWait, longestPauseMs] = [0.1, 500];

/**
 * Checks the condition until it returns something truthy, and returns that. Pauses grow with the wait: a check often costs two processes a
 * request. Rejects with the error of the condition, or with `what` when the time is over.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const { what, timeoutMs = 45_000, intervalMs = 20 } = options;
  const startedAt = performance.now();
  for (;;) {
    const result = await condition();
    if (result) return result as Exclude<T, false | null | undefined | 0 | "">;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await delay(Math.max(intervalMs, Math.min(waitedMs * pausePerWait, longestPauseMs)));
  }
}
