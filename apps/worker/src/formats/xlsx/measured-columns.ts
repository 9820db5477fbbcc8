import type { ReportColumn } from "@reports/core/report";
import { parseList, type WireRow } from "../../wire/read-rows.ts";

/** Rows that decide the widths of columns of text, and the units of columns of sizes whose largest value is unknown. */
export const sampledRows = 500;
/** Widest column in characters that texts make. A longer text takes several lines. */
const maxTextWidth = 60;

/** Returns the columns as wide as their texts in the first rows, so that rows have one line. The usual width of a definition is the least. */
export function widenColumns(columns: readonly ReportColumn[], rows: Iterable<WireRow>): ReportColumn[] {
  const widths = columns.map(({ width }) => width);
  for (const row of Iterator.from(rows).take(sampledRows)) {
    columns.forEach((column, at) => {
      const value = row[at] ?? null;
      if (value !== null) widths[at] = Math.max(widths[at]!, Math.min(textLength(column, value), maxTextWidth));
    });
  }
  return columns.map((column, at) => ({ ...column, width: widths[at]! }));
}

/** Returns 0 for values of other kinds, whose widths are known. */
function textLength({ kind, titles = {} }: ReportColumn, value: string): number {
  if (kind === "text") return value.includes("\n") ? 0 : value.length;
  if (kind !== "list") return 0;
  const elements = parseList(value).map((element) => (element === null ? "" : (titles[element] ?? element)));
  return elements.join("; ").length;
}
