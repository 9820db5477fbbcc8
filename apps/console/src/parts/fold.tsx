import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** What is behind one click. It opens by itself where something in it is used or wrong, and closes by nobody but the reader. */
export function Fold(props: { readonly title: string; readonly opens: boolean; readonly children: ComponentChildren }) {
  const { title, opens, children } = props;
  const [isOpen, setOpen] = useState(opens);
  useEffect(() => {
    if (opens) setOpen(true);
  }, [opens]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
