import type { Issue } from "@reports/client";

/** Groups the messages by field: the name of an option, or `f.` and the name of a filter. Other messages have an empty field name. */
export function issuesByField(issues: readonly Issue[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const issue of issues) {
    const field = issueField(issue);
    const before = byField.get(field);
    const message = removeFieldName(issue.message, field);
    byField.set(field, before === undefined ? message : `${before} ${message}`);
  }
  return byField;
}

/** Groups the messages about the filters of a list by the fields of its form. The parameters of a list have no prefix. */
export function errorsByFilter(failure: { readonly issues: readonly Issue[] } | null): ReadonlyMap<string, string> {
  return new Map([...issuesByField(failure?.issues ?? [])].map(([field, message]) => [`f.${field}`, message]));
}

/** Removes the field name from the start of a message, because the label is shown next to it. */
function removeFieldName(message: string, field: string): string {
  const name = `${field.replace(/^f\./, "")} `;
  const rest = message.startsWith(name) ? message.slice(name.length) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns the field of an issue: `f.health` for `/searchParam/health/0`, `searchParam[health]` and `searchParam.health`, `columns` for `/columns/3` and `columns`. */
export function issueField({ pointer, parameter }: Issue): string {
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
