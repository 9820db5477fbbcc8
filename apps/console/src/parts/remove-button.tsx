import { useState } from "preact/hooks";
import { runAction, showToast } from "../shell/toasts.tsx";
import { Confirm } from "./dialog.tsx";
import { useFocusFallback } from "./focus.ts";

export function RemoveButton(props: {
  readonly recordName: string;
  readonly label?: string;
  readonly title: string;
  readonly text: string;
  readonly done: string;
  readonly act: () => Promise<void>;
  readonly onRemoved: () => void;
}) {
  const { recordName, label = "Delete", title, text, done, act, onRemoved } = props;
  const [isConfirming, setConfirming] = useState(false);
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
        onClick={() => setConfirming(true)}
      >
        {label}
      </button>
      {isConfirming && (
        <Confirm title={title} text={text} button={label} onConfirm={remove} onClose={() => setConfirming(false)} />
      )}
    </>
  );
}
