import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";

export function Dialog(props: {
  readonly title: string;
  /** If undefined, Esc does not close the dialog, and only the parent component can remove it. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const show = (): void => dialog.current?.showModal();
  // Runs as a layout effect, before a child of the dialog takes the focus, to remember which element had the focus before.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const own = dialog.current;
    show();
    return () => {
      // Closes the dialog before it returns the focus, because an open modal dialog keeps the focus inside.
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
