import { languages } from "@reports/client";
import { languageName } from "../parts/text.ts";

/** Languages of documents that differ from the default, for a select. */
export const otherLanguages = languages
  .filter((language) => language !== "en")
  .map((value) => ({ value, label: languageName(value) }));

/** Returns the language of a browser, if it is one of `otherLanguages`. */
export function proposedLanguage(browserTag: string): (typeof otherLanguages)[number] | undefined {
  return otherLanguages.find(({ value }) => value === browserTag.split("-")[0]);
}
