import { useEffect, useState } from "preact/hooks";

const settledMs = 500;

/** Debounces a text (500 ms by default), so that typing does not send a request per keystroke. */
export function useSettled(text: string, forMs = settledMs): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), forMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
