import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toFailure } from "./failure.ts";

interface Toast {
  readonly text: string;
  readonly isBad: boolean;
}

const currentToast = signal<Toast | null>(null);
const toastMs = 6_000;

export function showToast(text: string): void {
  currentToast.value = { text, isBad: false };
}

/** Runs an action and shows its error if it fails. Resolves with whether it succeeded. */
export async function runAction(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const failure = toFailure(error);
    if (failure !== null) currentToast.value = { text: failure.detail, isBad: true };
    return false;
  }
}

/** Shows the last message. A failure stays until the user closes it. */
export function Toasts() {
  const current = currentToast.value;
  useEffect(() => {
    if (current === null || current.isBad) return undefined;
    const timer = setTimeout(() => (currentToast.value = null), toastMs);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div aria-live="polite">
      {current !== null && (
        <div class={`toast ${current.isBad ? "bad" : ""}`}>
          <span>{current.text}</span>
          <button type="button" class="quiet" onClick={() => (currentToast.value = null)}>
            Close
          </button>
        </div>
      )}
    </div>
  );
}
