import type { Filter } from "./filters.ts";

/** Marks the text filters of the service's own records as `plainText`, because these records contain no control characters. */
export function markPlainTexts(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => (filter.value === "text" ? { ...filter, plainText: true } : filter));
}
