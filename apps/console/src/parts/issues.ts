import type { Issue } from "@reports/client";

/** Groups messages by form field: the name of an option, or `f.` and the name of a filter. Messages about no field have an empty key. */
export function groupIssuesByField(issues: readonly Issue[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const issue of issues) {
    const field = findIssueField(issue);
    const before = byField.get(field);
    const message = removeFieldName(issue.message, field);
    byField.set(field, before === undefined ? message : `${before} ${message}`);
  }
  return byField;
}

/** Groups messages about list filters by form field. The API's lists name filters without the prefix `f.` of form fields. */
export function groupErrorsByFilter(
  failure: { readonly issues: readonly Issue[] } | null,
): ReadonlyMap<string, string> {
  return new Map([...groupIssuesByField(failure?.issues ?? [])].map(([field, message]) => [`f.${field}`, message]));
}

/** Removes the field name from the start of a message, because the form shows the label of the field next to it. */
function removeFieldName(message: string, field: string): string {
  const name = `${field.replace(/^f\./, "")} `;
  const rest = message.startsWith(name) ? message.slice(name.length) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns the field of an issue: `f.health` for `/searchParam/health/0`, `searchParam[health]` and `searchParam.health`, `columns` for `/columns/3` and `columns`. */
export function findIssueField({ pointer, parameter }: Issue): string {
  if (pointer !== undefined) {
    const [first = "", second] = pointer
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return first === "searchParam" && second !== undefined ? `f.${second}` : first;
  }
  const inner = /^searchParam(?:\[(.+)\]|\.(.+))$/
    .exec(parameter ?? "")
    ?.slice(1)
    .join("");
  return inner === undefined ? (parameter ?? "") : `f.${inner}`;
}
