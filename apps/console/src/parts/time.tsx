import { useEffect, useState } from "preact/hooks";
import { timeText, relativeText } from "./time-text.ts";

/** A relative time. The absolute one follows it among facts; in a row it appears with focus or pointer, so that it is no tab stop. */
export function Time({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  const whole = timeText(at);
  return exact ? (
    <time dateTime={at}>{whole}</time>
  ) : (
    <time class="moment" dateTime={at}>
      {/* Not the time of the last tick: newer moments would lie ahead of it. */}
      {relativeText(at, Date.now())} <span class="whole">{whole}</span>
    </time>
  );
}
