import { setTimeout as delay } from "node:timers/promises";

/** What is being waited for, in words for the error, and how long at most. */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
  readonly intervalMs?: number;
}

/**
 * Asks again and again until the condition yields something truthy, and returns that. What the condition throws is thrown on.
 * Rejects once the time is over, naming what did not happen.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<Exclude<T, false | null | undefined | 0 | "">> {
  const { what, timeoutMs = 45_000, intervalMs = 20 } = options;
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result) return result as Exclude<T, false | null | undefined | 0 | "">;
    if (performance.now() >= endsAt) throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
    await delay(intervalMs);
  }
}
