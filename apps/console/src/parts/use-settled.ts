import { useEffect, useState } from "preact/hooks";

const settledMs = 500;

/** A text once it has not changed for half a second, or for as long as is said: what is still being typed is asked of nobody. */
export function useSettled(text: string, forMs = settledMs): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), forMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
