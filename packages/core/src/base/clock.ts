import type { Clock } from "./file-store.ts";

/**
 * Continues a clock that was read elsewhere, such as Postgres's, by the monotonic time since then. This machine's wall
 * clock has no influence.
 */
export function clockFrom(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
