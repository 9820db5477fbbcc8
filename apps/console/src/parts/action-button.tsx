import type { CallOptions } from "@reports/client";
import { useRef } from "preact/hooks";
import { useFocusFallback } from "./focus.ts";
import { runAction } from "../shell/toasts.tsx";
import { useDebounced } from "./use-debounced.ts";

const cooldownMs = 1_000;

/** Reports whether a record's state changed within the last second. Its buttons are then disabled, because a click may be meant for the previous button. */
export function useCooldown(state: string): boolean {
  return useDebounced(state, cooldownMs) !== state;
}

/** A button that runs an action without a confirmation. A double click runs the action once. */
export function ActionButton(props: {
  readonly label: string;
  /** The name of the record, which completes the label for screen readers. */
  readonly recordName: string;
  readonly isPrimary?: boolean;
  /** Whether the button is the accent of the view. */
  readonly isAccent?: boolean;
  readonly isCoolingDown?: boolean;
  /** Gets options for its call. With them, a notice shows the retries of the call. */
  readonly act: (options: CallOptions) => Promise<void>;
}) {
  const { label, recordName, isPrimary = false, isAccent = false, isCoolingDown = false, act } = props;
  const isBusy = useRef(false);
  const button = useFocusFallback();
  async function click({ detail }: MouseEvent): Promise<void> {
    // After the first click of a double click, another button may be in this place. The second click must not activate it.
    if (isBusy.current || detail > 1) return;
    isBusy.current = true;
    await runAction(act);
    isBusy.current = false;
  }
  return (
    <button
      ref={button}
      type="button"
      class={isAccent ? "primary" : isPrimary ? "quiet strong" : "quiet"}
      aria-label={`${label}: ${recordName}`}
      disabled={isCoolingDown}
      onClick={(event) => void click(event)}
    >
      {label}
    </button>
  );
}
