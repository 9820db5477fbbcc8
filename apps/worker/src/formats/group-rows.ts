import { formatFacts, type ReportOptions, type ReportTypeDefinition, type ReportWarning } from "@reports/core/report";
import { parseSortKey, type SortKey } from "@reports/core/query";
import { columnTitle } from "./column-title.ts";

/** Returns the sort of the rows: first by group, then as requested. */
export function sortWithGroup({ sort, groupBy }: Pick<ReportOptions, "sort" | "groupBy">): SortKey[] {
  const keys = sort.map((key) => parseSortKey(key));
  if (groupBy === null) return keys;
  const group = keys.find(({ key }) => key === groupBy) ?? { key: groupBy, descending: false };
  return [group, ...keys.filter(({ key }) => key !== groupBy)];
}

/** Returns the columns to read: the requested columns, and the group's column if the format shows groups. */
export function columnKeysToRead({
  columns,
  groupBy,
  format,
}: Pick<ReportOptions, "columns" | "groupBy" | "format">): readonly string[] {
  return !formatFacts[format].showsGroups || groupBy === null || columns.includes(groupBy)
    ? columns
    : [...columns, groupBy];
}

/** Returns the columns to read for their URLs, in addition to those of `columnKeysToRead`, if the format shows links. */
export function linkKeysToRead(
  options: Pick<ReportOptions, "columns" | "groupBy" | "format">,
  definition: Pick<ReportTypeDefinition, "columns">,
): readonly string[] {
  if (!formatFacts[options.format].showsLinks) return [];
  const read = columnKeysToRead(options);
  const linked = definition.columns.filter(({ key }) => options.columns.includes(key));
  const urls = new Set(linked.map(({ link }) => link?.column));
  return definition.columns.map(({ key }) => key).filter((key) => urls.has(key) && !read.includes(key));
}

/** Returns a warning if the format cannot show the requested groups. */
export function groupWarnings(
  { groupBy, format }: Pick<ReportOptions, "groupBy" | "format">,
  definition: Pick<ReportTypeDefinition, "columns">,
): ReportWarning[] {
  if (groupBy === null || formatFacts[format].showsGroups) return [];
  const message = `${format} shows no groups: the rows are sorted by ${columnTitle(definition, groupBy)} first. pdf shows each under a heading.`;
  return [{ code: "ROWS_NOT_GROUPED", message }];
}
