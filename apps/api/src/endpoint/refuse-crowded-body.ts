import { DomainError } from "@reports/core";

/** How many keys the objects of one body may have together, and how many values its lists. */
const maxKeys = 200;
const maxListed = 2_000;

/**
 * Refuses a parsed body that has more in it than anybody has to say, before a name or a value of it is looked at: each would be a problem of
 * its own. Throws DomainError("invalid"). Looks at no more than it allows; the body is JSON of a bounded depth.
 */
export function refuseCrowdedBody(body: unknown): void {
  let keys = 0;
  let listed = 0;
  const open: unknown[] = [body];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (Array.isArray(value)) listed += inner.length;
    else keys += inner.length;
    if (keys > maxKeys) throw crowded("too_many_fields", `A body may have ${maxKeys} fields in all its objects.`);
    if (listed > maxListed) throw crowded("too_many_values", `A body may have ${maxListed} values in all its lists.`);
    open.push(...inner);
  }
}

function crowded(code: string, message: string): DomainError {
  return new DomainError("invalid", "invalid-body", message, { issues: [{ pointer: "", code, message }] });
}
