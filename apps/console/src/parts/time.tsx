import { useEffect, useState } from "preact/hooks";
import { momentText, relativeText } from "./moments.ts";

/** A moment, in the viewer's zone: how long ago or ahead, and the moment itself where it is pointed at. */
export function Time({ at, exact = false }: { readonly at: string; readonly exact?: boolean }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const whole = momentText(at);
  return (
    <time dateTime={at} title={exact ? at : whole}>
      {exact ? whole : relativeText(at, now)}
    </time>
  );
}
