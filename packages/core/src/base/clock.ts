import type { Clock } from "./file-store.ts";

/**
 * Continues a clock that was read elsewhere, such as Postgres's: the time read plus the monotonic time since then.
 * The wall clock of this machine has no influence, however wrong it is and however it jumps.
 */
export function clockFrom(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
