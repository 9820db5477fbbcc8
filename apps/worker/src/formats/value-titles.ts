import type { ReportColumn } from "@reports/core/report";

export const booleanTitles = { t: "Yes", f: "No" } as const;

/** Makes the function that returns a value's title, or the value itself. */
export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
