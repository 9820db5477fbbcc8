import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A collapsible section. It opens when `opens` becomes true, but it never closes unless the user closes it. */
export function Collapsible(props: {
  readonly title: string;
  readonly opens: boolean;
  readonly children: ComponentChildren;
}) {
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
