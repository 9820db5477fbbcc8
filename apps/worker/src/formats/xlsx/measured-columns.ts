import type { ReportColumn } from "@reports/core/report";
import { parseList, type WireRow } from "../../wire/read-rows.ts";

/** Number of rows that decide the widths of text columns, and the units of size columns whose largest value is unknown. */
export const sampledRowCount = 500;
/** Maximum width in characters to which texts widen a column. A longer text takes several lines. */
const maxTextWidth = 60;

/** Widens columns so that texts of the first rows fit on one line. No column becomes narrower than its definition says. */
export function widenColumns(columns: readonly ReportColumn[], rows: Iterable<WireRow>): ReportColumn[] {
  const widths = columns.map(({ width }) => width);
  for (const row of Iterator.from(rows).take(sampledRowCount)) {
    columns.forEach((column, at) => {
      const value = row[at] ?? null;
      if (value !== null) widths[at] = Math.max(widths[at]!, Math.min(textLength(column, value), maxTextWidth));
    });
  }
  return columns.map((column, at) => ({ ...column, width: widths[at]! }));
}

/** Returns 0 for other kinds, whose widths are known, and for texts with line breaks. */
function textLength({ kind, titles = {} }: ReportColumn, value: string): number {
  if (kind === "text") return value.includes("\n") ? 0 : value.length;
  if (kind !== "list") return 0;
  const elements = parseList(value).map((element) => (element === null ? "" : (titles[element] ?? element)));
  return elements.join("; ").length;
}
