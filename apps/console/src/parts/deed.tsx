import { useRef } from "preact/hooks";
import { useFocusAfter } from "./focus.ts";
import { attempt } from "../shell/toasts.tsx";
import { useSettled } from "./use-settled.ts";

const heldMs = 1_000;

/**
 * Whether deeds of a record are held, because its state has just become another: a button that takes another one's place waits until nobody
 * clicks on that any more.
 */
export function useHeld(state: string): boolean {
  return useSettled(state, heldMs) !== state;
}

/** A button that does something to a record at once: once, although it is clicked twice in a row or again before it is done. */
export function Deed(props: {
  readonly word: string;
  /** The record's name, for who hears the button apart from its row. */
  readonly of: string;
  /** Whether it is what one came for. */
  readonly isFirst?: boolean;
  /** Whether it cannot be clicked yet: `useHeld`. */
  readonly isHeld?: boolean;
  readonly act: () => Promise<void>;
}) {
  const { word, of, isFirst = false, isHeld = false, act } = props;
  const isBusy = useRef(false);
  const button = useFocusAfter();
  async function click({ detail }: MouseEvent): Promise<void> {
    // The second click of a double one would meet what the first has put here.
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
