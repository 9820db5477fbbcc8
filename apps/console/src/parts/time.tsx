import { useEffect, useState } from "preact/hooks";
import { formatTime, formatRelativeTime } from "./time-text.ts";

/**
 * Shows an absolute time with `exact`, otherwise a relative one. CSS shows the absolute time in addition while the row has the focus or the pointer.
 */
export function Time({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  const whole = formatTime(at);
  return exact ? (
    <time dateTime={at}>{whole}</time>
  ) : (
    <time class="moment" dateTime={at}>
      {/* Reads the clock at each render: with the time of the last tick, a newer time would be in the future. */}
      {formatRelativeTime(at, Date.now())} <span class="whole">{whole}</span>
    </time>
  );
}
