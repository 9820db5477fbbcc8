import type { ReportColumn } from "@reports/core/report";
import type { Words } from "./words/words.ts";

export function createBooleanTitles(words: Words): Readonly<Record<"t" | "f", string>> {
  return { t: words.text("yes"), f: words.text("no") };
}

export function createTitleLookup(titles: ReportColumn["titles"]): (value: string) => string {
  if (titles === undefined) return (value) => value;
  const byValue = new Map(Object.entries(titles));
  return (value) => byValue.get(value) ?? value;
}
