import type { ColumnKind, ReportColumn } from "./column.ts";
import { findUnknownColumnProblems, quoteValue } from "./definition-rules.ts";

export function findColumnLinkProblems(
  { key, kind, link }: ReportColumn,
  columns: ReadonlyMap<string, ColumnKind>,
): readonly string[] {
  if (link === undefined) return [];
  const on = `column ${quoteValue(key)}: link`;
  if (kind !== "text") return [`${on} is for columns of kind text, and it is ${kind}.`];
  const kindOfUrls = columns.get(link.column);
  if (kindOfUrls === undefined) return findUnknownColumnProblems(on, link.column, columns);
  return kindOfUrls === "text"
    ? []
    : [`${on} needs a column of kind text, which has the URLs, and ${quoteValue(link.column)} is ${kindOfUrls}.`];
}
