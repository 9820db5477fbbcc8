import { useRef } from "preact/hooks";
import { attempt } from "../shell/toasts.tsx";

/** A button that does something to a record at once: once, although it is clicked twice in a row or again before it is done. */
export function Deed(props: {
  readonly word: string;
  /** The record's name, for who hears the button apart from its row. */
  readonly of: string;
  /** Whether it is what one came for. */
  readonly isFirst?: boolean;
  readonly act: () => Promise<void>;
}) {
  const { word, of, isFirst = false, act } = props;
  const isBusy = useRef(false);
  async function click({ detail }: MouseEvent): Promise<void> {
    // The second click of a double one would meet what the first has put here.
    if (isBusy.current || detail > 1) return;
    isBusy.current = true;
    await attempt(act);
    isBusy.current = false;
  }
  return (
    <button
      type="button"
      class={isFirst ? "quiet strong" : "quiet"}
      aria-label={`${word}: ${of}`}
      onClick={(event) => void click(event)}
    >
      {word}
    </button>
  );
}
