import type { Clock } from "./file-store.ts";

/**
 * Returns a clock that starts at `readAt`, such as the current time of Postgres, and advances with `monotonicMs`. A change of this machine's clock
 * does not move it.
 */
export function createMonotonicClock(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
