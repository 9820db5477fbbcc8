import { useRef } from "preact/hooks";
import { useFocusFallback } from "./focus.ts";
import { runAction } from "../shell/toasts.tsx";
import { useDebounced } from "./use-debounced.ts";

const cooldownMs = 1_000;

/** Whether actions of a record are disabled because its state has just changed: a click may still be meant for the previous button. */
export function useCooldown(state: string): boolean {
  return useDebounced(state, cooldownMs) !== state;
}

/** A button that changes a record immediately, and only once on a double click. */
export function ActionButton(props: {
  readonly label: string;
  /** The record's name, for screen readers. */
  readonly recordName: string;
  /** Whether it is the primary action. */
  readonly isPrimary?: boolean;
  /** Whether it cannot be clicked yet: `useCooldown`. */
  readonly isCoolingDown?: boolean;
  readonly act: () => Promise<void>;
}) {
  const { label, recordName, isPrimary = false, isCoolingDown = false, act } = props;
  const isBusy = useRef(false);
  const button = useFocusFallback();
  async function click({ detail }: MouseEvent): Promise<void> {
    // The second click of a double click would hit the button that the first one has put here.
    if (isBusy.current || detail > 1) return;
    isBusy.current = true;
    await runAction(act);
    isBusy.current = false;
  }
  return (
    <button
      ref={button}
      type="button"
      class={isPrimary ? "quiet strong" : "quiet"}
      aria-label={`${label}: ${recordName}`}
      disabled={isCoolingDown}
      onClick={(event) => void click(event)}
    >
      {label}
    </button>
  );
}
