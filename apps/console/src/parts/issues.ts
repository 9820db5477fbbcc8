import type { Issue } from "@reports/client";

/** Messages by field: the name of an option, or of a filter after `f.`. Others have the empty name. */
export function issuesByField(issues: readonly Issue[]): ReadonlyMap<string, string> {
  const byField = new Map<string, string>();
  for (const issue of issues) {
    const field = fieldOf(issue);
    const before = byField.get(field);
    const message = sentenceOf(issue.message, field);
    byField.set(field, before === undefined ? message : `${before} ${message}`);
  }
  return byField;
}

/** Removes the field's name at the start of a message, because its label is shown there. */
function sentenceOf(message: string, field: string): string {
  const name = `${field.replace(/^f\./, "")} `;
  const rest = message.startsWith(name) ? message.slice(name.length) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** `/searchParam/health/0` and `searchParam[health]` belong to `f.health`, `/columns/3` and `columns` to `columns`. */
export function fieldOf({ pointer, parameter }: Issue): string {
  if (pointer !== undefined) {
    const [first = "", second] = pointer
      .split("/")
      .slice(1)
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    return first === "searchParam" && second !== undefined ? `f.${second}` : first;
  }
  const inner = /^searchParam\[(.+)\]$/.exec(parameter ?? "")?.[1];
  return inner === undefined ? (parameter ?? "") : `f.${inner}`;
}
