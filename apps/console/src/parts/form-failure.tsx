import type { CallFailure } from "../shell/call-failure.ts";
import { findIssueField } from "./issues.ts";

export function FormFailure(props: {
  readonly failure: CallFailure | null;
  readonly title: string;
  readonly labelOf: (field: string) => string | undefined;
}) {
  const { failure, title, labelOf } = props;
  if (failure === null) return null;
  const fields = new Map(failure.issues.map((issue) => [findIssueField(issue), issue.message]));
  const names = findFields().map(({ name }) => name);
  return (
    <div class="notice bad" role="alert">
      <h2>{failure.kind === "invalid" ? "Please check these fields" : title}</h2>
      {fields.size === 0 && <p>{failure.detail}</p>}
      {[...fields]
        .toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other))
        .map(([field, message]) => {
          const label = labelOf(field);
          return label === undefined ? (
            <p key={field}>{message}</p>
          ) : (
            <button key={field} type="button" class="quiet strong or" onClick={() => focusFirstField([field])}>
              {label}
            </button>
          );
        })}
    </div>
  );
}

function findFields(): readonly HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("main [name]")];
}

/** Focuses the first invalid field. Waits with a timer, because the page first has to render the error messages. */
export function focusFirstInvalid({ issues }: CallFailure): void {
  setTimeout(() => focusFirstField(issues.map(findIssueField)));
}

function focusFirstField(names: readonly string[]): void {
  const field = findFields().find(({ name }) => names.includes(name));
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
}
