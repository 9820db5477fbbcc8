import { useEffect, useState } from "preact/hooks";
import { runAction } from "../shell/toasts.tsx";

const confirmationMs = 2_000;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return undefined;
    const timer = setTimeout(() => setDone(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  // Browsers omit the clipboard on plain-http pages, although the DOM types declare it as always defined.
  if ((navigator.clipboard as Clipboard | undefined) === undefined) return null;
  const copy = (): Promise<boolean> =>
    runAction(async () => {
      await navigator.clipboard.writeText(text);
      setDone(true);
    });
  return (
    <button type="button" class="quiet" aria-label={label} onClick={() => void copy()}>
      <span aria-live="polite">{isDone ? "Copied" : "Copy"}</span>
    </button>
  );
}
