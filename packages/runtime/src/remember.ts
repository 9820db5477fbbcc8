import { withDeadline } from "./deadline.ts";

/** Reads something, and aborts when it takes too long. */
export type Read<T> = (signal: AbortSignal) => Promise<T>;

/** How long an answer or a failure is given again, and how long a read may take. In milliseconds. */
export interface RememberTimes {
  readonly okMs: number;
  readonly failureMs: number;
  readonly timeoutMs?: number;
}

/**
 * Reads once for all who ask at the same time or shortly after: for what anybody may ask for, as often as they like, and which costs a
 * query each. A read belongs to nobody in particular: it goes on when who asked first has left.
 */
export function remember<T>(read: Read<T>, { okMs, failureMs, timeoutMs = 5_000 }: RememberTimes): () => Promise<T> {
  let current: Promise<T> | null = null;
  let until = Number.POSITIVE_INFINITY;
  return async () => {
    if (current === null || performance.now() >= until) {
      until = Number.POSITIVE_INFINITY;
      // A read that hangs must not be what everybody waits for from now on.
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
