import { languages } from "@reports/client";
import { formatLanguageName } from "../parts/text.ts";

export const nonDefaultLanguageChoices = languages
  .filter((language) => language !== "en")
  .map((value) => ({ value, label: formatLanguageName(value) }));

export function findProposedLanguage(browserTag: string): (typeof nonDefaultLanguageChoices)[number] | undefined {
  return nonDefaultLanguageChoices.find(({ value }) => value === browserTag.split("-")[0]);
}
