import type { Language } from "@reports/core/report";

export interface DocumentLocales {
  readonly format: string;
  readonly words: string;
  /** Whether `format` and `words` are the same locale, so that Intl can write everything itself. */
  readonly isOne: boolean;
}

/**
 * Returns the Intl locales of a document. Without `language`, `locale` also gives the words. If the languages of the two differ, digits are Latin.
 */
export function getDocumentLocales(locale: string, language?: Language): DocumentLocales {
  if (language === undefined || new Intl.Locale(locale).language === language)
    return { format: locale, words: locale, isOne: true };
  const format = new Intl.Locale(locale, { numberingSystem: "latn" }).toString();
  return { format, words: language, isOne: false };
}

/** Removes the invisible direction marks that Intl puts around signs and digits in right-to-left locales. */
export function removeDirectionMarks(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
