import type { Clock } from "./file-store.ts";

/** Returns a clock that starts at `readAt`, such as a time of Postgres, and advances by monotonic time. Changes of this machine's clock don't matter. */
export function createMonotonicClock(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
