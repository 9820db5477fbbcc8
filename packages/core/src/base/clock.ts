import type { Clock } from "./file-store.ts";

/** Continues a clock read elsewhere, such as Postgres's, by monotonic time, independently of this machine's wall clock. */
export function clockFrom(readAt: Date, monotonicMs: () => number = () => performance.now()): Clock {
  const offsetMs = readAt.getTime() - monotonicMs();
  return () => new Date(offsetMs + monotonicMs());
}
