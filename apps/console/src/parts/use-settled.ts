import { useEffect, useState } from "preact/hooks";

const settledMs = 500;

/** A text once it has not changed for half a second: what is still being typed is asked of nobody. */
export function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), settledMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
