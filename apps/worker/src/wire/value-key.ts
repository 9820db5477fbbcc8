import type { ColumnKind } from "@reports/core/report";

/** Returns a text that equal values of a kind share. Equal numbers share it even with different trailing zeros. */
export function valueKey(text: string, kind: ColumnKind): string {
  if ((kind !== "decimal" && kind !== "ratio") || !text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}
