import type { CallOptions } from "@reports/client";
import { useRef } from "preact/hooks";
import { useFocusFallback } from "./focus.ts";
import { runAction } from "../shell/toasts.tsx";
import { useDebouncedText } from "./use-debounced-text.ts";

const cooldownMs = 1_000;

/**
 * Reports whether a record's state changed within the last second. Its buttons are then disabled, because a click may be meant for the button that
 * was in this place before.
 */
export function useCooldown(state: string): boolean {
  return useDebouncedText(state, cooldownMs) !== state;
}

export function ActionButton(props: {
  readonly label: string;
  readonly recordName: string;
  readonly isPrimary?: boolean;
  readonly isAccent?: boolean;
  readonly isCoolingDown?: boolean;
  readonly act: (options: CallOptions) => Promise<void>;
}) {
  const { label, recordName, isPrimary = false, isAccent = false, isCoolingDown = false, act } = props;
  const isBusy = useRef(false);
  const button = useFocusFallback();
  async function click({ detail }: MouseEvent): Promise<void> {
    // The first click of a double click may have put another button in this place. `detail > 1` marks the second click, which must not activate that
    // button.
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
