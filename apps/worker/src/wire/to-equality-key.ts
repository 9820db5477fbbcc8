import type { ColumnKind } from "@reports/core/report";

/** Returns a text that is equal for equal values of a kind: 0.1 and 0.10 have the same. */
export function toEqualityKey(text: string, kind: ColumnKind): string {
  if ((kind !== "decimal" && kind !== "ratio" && kind !== "duration") || !text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

export function areEqualValues(one: string | null, other: string | null, kind: ColumnKind): boolean {
  return one === other || (one !== null && other !== null && toEqualityKey(one, kind) === toEqualityKey(other, kind));
}
