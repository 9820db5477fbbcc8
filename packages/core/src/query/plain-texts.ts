import type { Filter } from "./filters.ts";

/** Marks text filters as `plainText`. Use it only for the service's own records, which contain no control characters. */
export function toPlainTextFilters(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => (filter.value === "text" ? { ...filter, plainText: true } : filter));
}
