import { useRef } from "preact/hooks";
import { useFocusAfter } from "./focus.ts";
import { attempt } from "../shell/toasts.tsx";
import { useSettled } from "./use-settled.ts";

const heldMs = 1_000;

/** Whether actions of a record are disabled because its state has just changed: a click may still be meant for the previous button. */
export function useHeld(state: string): boolean {
  return useSettled(state, heldMs) !== state;
}

/** A button that changes a record immediately, and only once on a double click. */
export function Deed(props: {
  readonly word: string;
  /** The record's name, for screen readers. */
  readonly of: string;
  /** Whether it is the primary action. */
  readonly isFirst?: boolean;
  /** Whether it cannot be clicked yet: `useHeld`. */
  readonly isHeld?: boolean;
  readonly act: () => Promise<void>;
}) {
  const { word, of, isFirst = false, isHeld = false, act } = props;
  const isBusy = useRef(false);
  const button = useFocusAfter();
  async function click({ detail }: MouseEvent): Promise<void> {
    // The second click of a double click would hit the button that the first one has put here.
    if (isBusy.current || detail > 1) return;
    isBusy.current = true;
    await attempt(act);
    isBusy.current = false;
  }
  return (
    <button
      ref={button}
      type="button"
      class={isFirst ? "quiet strong" : "quiet"}
      aria-label={`${word}: ${of}`}
      disabled={isHeld}
      onClick={(event) => void click(event)}
    >
      {word}
    </button>
  );
}
