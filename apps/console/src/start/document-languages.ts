import { languages } from "@reports/client";
import { languageName } from "../parts/text.ts";

export const nonDefaultLanguages = languages
  .filter((language) => language !== "en")
  .map((value) => ({ value, label: languageName(value) }));

export function proposedLanguage(browserTag: string): (typeof nonDefaultLanguages)[number] | undefined {
  return nonDefaultLanguages.find(({ value }) => value === browserTag.split("-")[0]);
}
