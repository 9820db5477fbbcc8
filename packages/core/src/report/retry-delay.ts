const delaysSeconds = [10, 30, 60, 120] as const;
const jitter = 0.2;

/** For how long a report is tried again for causes that can pass: docs/contract.md §4.2. */
export const retryWindowMs = 6 * 60 * 60 * 1000;

/**
 * After how many milliseconds the next try comes: 10, 30, 60, then 120 s ± 20 %.
 * @param count how many tries there were, from 1.
 * @param random gives numbers from 0 to 1, for the jitter.
 */
export function retryDelayMs(count: number, random: () => number): number {
  const seconds = delaysSeconds[Math.min(Math.max(count, 1), delaysSeconds.length) - 1]!;
  return Math.round(seconds * 1000 * (1 - jitter + 2 * jitter * random()));
}
