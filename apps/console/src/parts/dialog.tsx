import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Something over the page. Esc closes it unless it stays, and the focus goes back to where it was. */
export function Dialog(props: {
  readonly title: string;
  /** Left out, it stays until who shows it takes it away: nothing that the browser closes dialogs by does. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const show = (): void => dialog.current?.showModal();
  // Before anything in it takes the focus.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const own = dialog.current;
    show();
    return () => {
      // As long as it is open nothing else takes the focus.
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

/** Asks before something that cannot be undone. */
export function Confirm(props: {
  readonly title: string;
  readonly text: string;
  /** The word of the deed. */
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
