/** Delays before further attempts, in milliseconds. The last delay repeats. docs/reference/resources/reports.md#attempts-and-failures. */
export const reportRetryDelaysMs: readonly number[] = [10_000, 30_000, 60_000, 120_000];

export interface RetryPace {
  readonly delaysMs: readonly number[];
  readonly random: () => number;
}

const jitterShare = 0.2;

/** How long a report is retried for temporary causes. docs/reference/resources/reports.md#attempts-and-failures. */
export const reportRetryWindowMs = 6 * 60 * 60 * 1000;

/** Returns the delay in ms before the next attempt, after this many attempts, with a jitter of ± 20 %. */
export function computeRetryDelayMs(attempts: number, { delaysMs, random }: RetryPace): number {
  const delayMs = delaysMs[Math.min(Math.max(attempts, 1), delaysMs.length) - 1]!;
  return Math.round(delayMs * (1 - jitterShare + 2 * jitterShare * random()));
}
