import type { Clock } from "./file-store.ts";

/**
 * Returns a clock that starts at `readAt`, such as a time of Postgres, and advances with `monotonicMs`. It ignores changes of this machine's clock.
 */
export function createMonotonicClock(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
