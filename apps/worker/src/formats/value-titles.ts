import type { ReportColumn } from "@reports/core/report";
import type { Words } from "./words/words.ts";

/** Returns the words for a boolean's wire texts. */
export function booleanTitles(words: Words): Readonly<Record<"t" | "f", string>> {
  return { t: words.text("yes"), f: words.text("no") };
}

/** Makes the function that returns the title of a value, or the value if it has no title. */
export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
