import type { Failure } from "../shell/failure.ts";
import { fieldOf } from "./issues.ts";

/** Beside a button that makes something: why nothing was made. What a field says itself is not said again: this leads there. */
export function FailedStart(props: {
  readonly failure: Failure | null;
  readonly title: string;
  /** What the field of a name is called; undefined where there is none. */
  readonly labelOf: (field: string) => string | undefined;
}) {
  const { failure, title, labelOf } = props;
  if (failure === null) return null;
  const fields = new Map(failure.issues.map((issue) => [fieldOf(issue), issue.message]));
  return (
    <div class="notice bad" role="alert">
      <h2>{failure.kind === "invalid" ? "Please check these fields" : title}</h2>
      {fields.size === 0 && <p>{failure.detail}</p>}
      {[...fields].map(([field, message]) => {
        const label = labelOf(field);
        return label === undefined ? (
          <p key={field}>{message}</p>
        ) : (
          <button key={field} type="button" class="quiet strong or" onClick={() => focusOn([field])}>
            {label}
          </button>
        );
      })}
    </div>
  );
}

/** Leads to the first field on the page of which something is wrong, once the page says so. */
export function focusOnWrong({ issues }: Failure): void {
  setTimeout(() => focusOn(issues.map(fieldOf)));
}

function focusOn(names: readonly string[]): void {
  const field = [...document.querySelectorAll<HTMLInputElement>("main [name]")].find(({ name }) =>
    names.includes(name),
  );
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
}
