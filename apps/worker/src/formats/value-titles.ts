import type { ReportColumn } from "@reports/core/report";

export const booleanTitles = { t: "Yes", f: "No" } as const;

/** Makes the function that returns the title of a value, or the value if it has no title. */
export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
