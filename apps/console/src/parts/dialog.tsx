import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

/** A modal dialog. Esc closes it if it has `onClose`. When it closes, the focus returns to the previous element. */
export function Dialog(props: {
  readonly title: string;
  /** If undefined, only the parent can remove the dialog. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const show = (): void => dialog.current?.showModal();
  // Runs as a layout effect, before a child of the dialog takes the focus.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const own = dialog.current;
    show();
    return () => {
      // A modal dialog keeps the focus inside until it is closed.
      own?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => props.onClose === undefined && event.preventDefault()}
      onClose={props.onClose ?? show}
    >
      <h2 id={id}>{props.title}</h2>
      {props.children}
    </dialog>
  );
}

export function Confirm(props: {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  async function confirm(): Promise<void> {
    setBusy(true);
    await props.onConfirm();
    props.onClose();
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <p>{props.text}</p>
      <div class="buttons">
        <button type="button" class="danger primary" disabled={isBusy} onClick={() => void confirm()}>
          {props.button}
        </button>
        <button type="button" onClick={props.onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}
