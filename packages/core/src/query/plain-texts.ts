import type { Filter } from "./filters.ts";

/** Filters of our own records, whose fields hold plain texts only: what none can hold is refused. */
export function plainTexts(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => (filter.value === "text" ? { ...filter, plainText: true } : filter));
}
