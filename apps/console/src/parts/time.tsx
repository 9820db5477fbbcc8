import { useEffect, useState } from "preact/hooks";
import { momentText, relativeText } from "./moments.ts";

/**
 * A moment, in the viewer's zone: how long ago or ahead, and the moment itself. That stands behind it among facts; in a row it appears where the
 * row has the focus or the time is pointed at, so that no time is a stop of the tab key.
 */
export function Time({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  const whole = momentText(at);
  return exact ? (
    <time dateTime={at}>{whole}</time>
  ) : (
    <time class="moment" dateTime={at}>
      {/* Never the time of the tick before: a moment that was read since would lie ahead of it. */}
      {relativeText(at, Date.now())} <span class="whole">{whole}</span>
    </time>
  );
}
