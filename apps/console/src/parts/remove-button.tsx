import { useState } from "preact/hooks";
import { runAction, showToast } from "../shell/toasts.tsx";
import { Confirm } from "./dialog.tsx";
import { useFocusFallback } from "./focus.ts";

/** A button that removes something, after a question. */
export function RemoveButton(props: {
  /** The record's name, for screen readers. */
  readonly recordName: string;
  /** Default: `Delete`. */
  readonly label?: string;
  readonly title: string;
  readonly text: string;
  /** The message afterwards. */
  readonly done: string;
  readonly act: () => Promise<void>;
  readonly onRemoved: () => void;
}) {
  const { recordName, label = "Delete", title, text, done, act, onRemoved } = props;
  const [isAsking, ask] = useState(false);
  const button = useFocusFallback();
  const remove = async (): Promise<void> => {
    if (!(await runAction(act))) return;
    showToast(done);
    onRemoved();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet danger"
        aria-label={`${label}: ${recordName}`}
        onClick={() => ask(true)}
      >
        {label}
      </button>
      {isAsking && <Confirm title={title} text={text} button={label} onConfirm={remove} onClose={() => ask(false)} />}
    </>
  );
}
