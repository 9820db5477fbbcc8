import {
  findAggregateColumns,
  formatProperties,
  type ReportOptions,
  type ReportTypeDefinition,
  type ReportWarning,
} from "@reports/core/report";
import { parseSortKey, type SortKey } from "@reports/core/query";
import { findColumnTitle } from "./column-title.ts";
import { selectSubtotalFigures } from "./subtotals.ts";

export function toGroupedSortKeys({ sort, groupBy }: Pick<ReportOptions, "sort" | "groupBy">): SortKey[] {
  const keys = sort.map((key) => parseSortKey(key));
  if (groupBy === null) return keys;
  const group = keys.find(({ key }) => key === groupBy) ?? { key: groupBy, descending: false };
  return [group, ...keys.filter(({ key }) => key !== groupBy)];
}

type GroupedOptions = Pick<ReportOptions, "columns" | "groupBy" | "format">;

/** Returns the keys of the columns in the file: the requested ones, and the group's column if the format shows groups. */
export function selectShownColumnKeys({ columns, groupBy, format }: GroupedOptions): readonly string[] {
  return !formatProperties[format].showsGroups || groupBy === null || columns.includes(groupBy)
    ? columns
    : [...columns, groupBy];
}

/** Returns the keys of hidden columns that contain the URLs of links and the currencies of amounts. Returns none if the format shows no links. */
export function selectLinkAndCurrencyKeys(
  options: GroupedOptions,
  definition: Pick<ReportTypeDefinition, "columns">,
): readonly string[] {
  if (!formatProperties[options.format].showsLinks) return [];
  const read = selectShownColumnKeys(options);
  const linked = definition.columns.filter(({ key }) => options.columns.includes(key));
  const needed = new Set(
    linked.flatMap(({ link, currency }) => [link?.column, typeof currency === "object" ? currency.column : undefined]),
  );
  return definition.columns.map(({ key }) => key).filter((key) => needed.has(key) && !read.includes(key));
}

export function selectHiddenSubtotalKeys(
  options: GroupedOptions,
  definition: Pick<ReportTypeDefinition, "summary">,
): readonly string[] {
  const figures = selectSubtotalFigures(definition, options);
  if (figures.length === 0) return [];
  const read = selectShownColumnKeys(options);
  const needed = [options.groupBy!, ...figures.flatMap(({ aggregate }) => findAggregateColumns(aggregate))];
  return [...new Set(needed)].filter((key) => !read.includes(key));
}

export function selectColumnKeysToRead(options: GroupedOptions, definition: ReportTypeDefinition): readonly string[] {
  const hidden = [...selectLinkAndCurrencyKeys(options, definition), ...selectHiddenSubtotalKeys(options, definition)];
  return [...selectShownColumnKeys(options), ...new Set(hidden)];
}

export function createGroupWarnings(
  { groupBy, format }: Pick<ReportOptions, "groupBy" | "format">,
  definition: Pick<ReportTypeDefinition, "columns" | "summary">,
): ReportWarning[] {
  if (groupBy === null || formatProperties[format].showsGroups) return [];
  const listed =
    selectSubtotalFigures(definition, { groupBy, format }).length > 0 ? " The subtotals are listed for each." : "";
  const message = `${format} shows no groups: the rows are sorted by ${findColumnTitle(definition, groupBy)} first. pdf shows each under a heading.${listed}`;
  return [{ code: "ROWS_NOT_GROUPED", message }];
}
