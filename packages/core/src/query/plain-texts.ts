import type { Filter } from "./filters.ts";

/** Filters of our own records, which hold plain texts only. */
export function plainTexts(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => (filter.value === "text" ? { ...filter, plainText: true } : filter));
}
