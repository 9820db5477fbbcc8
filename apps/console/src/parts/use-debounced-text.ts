import { useEffect, useState } from "preact/hooks";

const debounceMs = 500;

/** Debounces a text (500 ms by default), so that typing does not send a request per keystroke. */
export function useDebouncedText(text: string, delayMs = debounceMs): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), delayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}
