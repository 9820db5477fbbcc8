import type { ReportColumn } from "@reports/core/report";

/** What stands for a boolean of the wire form where values have titles. */
export const booleanTitles = { t: "Yes", f: "No" } as const;

/** Makes the function that says a value as its column's definition titles it. A value without a title stays as it is. */
export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
