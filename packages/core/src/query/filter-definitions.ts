import type { Filter, FilterValueKind } from "./filters.ts";

/** Returns a filter of the values of the column with the same name. `rules` adds or replaces fields of the filter. */
export function columnFilter(
  name: string,
  value: FilterValueKind,
  description: string,
  rules: Partial<Filter> = {},
): Filter {
  return { name, operator: "in", value, columns: [name], ...rules, description };
}

export function statusFilter(values: readonly string[]): Filter {
  return columnFilter("status", "enum", "States.", { values });
}

/** Returns the two ends of a range of times. `event` begins their descriptions, such as "Created". */
export function timeRangeFilters(prefix: string, column: string, event: string): readonly Filter[] {
  const from = `${event} at this time (RFC 3339) or later.`;
  return [
    columnFilter(`${prefix}From`, "timestamp", from, { operator: "from", columns: [column] }),
    columnFilter(`${prefix}To`, "timestamp", `${event} before this time (RFC 3339).`, {
      operator: "to",
      columns: [column],
    }),
  ];
}

export const creationTimeFilters = timeRangeFilters("created", "createdAt", "Created");

/** Marks text filters as `plainText`. Use it only for the service's own records, which contain no control characters. */
export function toPlainTextFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => (filter.value === "text" ? { ...filter, plainText: true } : filter));
}
