import type { ReportColumn } from "@reports/core";

/** Makes the function that says a value as its column's definition titles it. A value without a title stays as it is. */
export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
