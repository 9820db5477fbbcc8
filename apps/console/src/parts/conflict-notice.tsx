import { useEffect, useRef } from "preact/hooks";
import type { ChangedText } from "./changed-fields.ts";

export function ConflictNotice({ changes }: { readonly changes: readonly ChangedText[] }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.scrollIntoView({ block: "nearest" }), [changes.length]);
  return (
    <div ref={notice} class="notice warn" role="alert">
      <h2>Somebody else has changed it meanwhile</h2>
      {changes.length > 0 && (
        <ul>
          {changes.map(({ label, before, after }) => (
            <li key={label}>
              {label}: <bdi>{before || "none"}</bdi> became <bdi>{after || "none"}</bdi>
            </li>
          ))}
        </ul>
      )}
      <p>Nothing was saved, and your changes are still in the form. Save again to add them to the current version.</p>
    </div>
  );
}
