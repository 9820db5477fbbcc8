import { withDeadline } from "./deadline.ts";

export type AbortableRead<T> = (signal: AbortSignal) => Promise<T>;

/**
 * How long a result (`okMs`) and a failure (`failureMs`) are reused, and the time limit of a read, in milliseconds. Default of `timeoutMs`: 5,000.
 */
export interface CachedReadTimes {
  readonly okMs: number;
  readonly failureMs: number;
  readonly timeoutMs?: number;
}

/**
 * Returns a function that shares one call of `read` among concurrent callers, and returns its result or failure again to callers within `okMs` or
 * `failureMs`.
 */
export function createCachedRead<T>(
  read: AbortableRead<T>,
  { okMs, failureMs, timeoutMs = 5_000 }: CachedReadTimes,
): () => Promise<T> {
  let current: Promise<T> | null = null;
  let until = Number.POSITIVE_INFINITY;
  return async () => {
    if (current === null || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      // A time limit ends a read that hangs, because all later callers would wait for it.
      const reading = withDeadline(read, timeoutMs, "The read");
      current = reading;
      const keep = (ms: number): void => {
        if (current === reading) until = performance.now() + ms;
      };
      reading.then(
        () => keep(okMs),
        () => keep(failureMs),
      );
    }
    return current;
  };
}
