import type { Language } from "@reports/core/report";

/** Language tags for Intl. */
export interface FormatTags {
  /** The locale that gives order, separators and digits. */
  readonly format: string;
  /** The locale that gives words: names of months, halves of the day, short names of large numbers. */
  readonly words: string;
  /** Whether both are the same locale, so that Intl can write everything itself. */
  readonly isOne: boolean;
}

/** Returns the tags of a locale in a document of a language; without a language, the locale gives the words. A locale of another language gives Latin digits. */
export function getFormatTags(locale: string, language?: Language): FormatTags {
  if (language === undefined || new Intl.Locale(locale).language === language)
    return { format: locale, words: locale, isOne: true };
  const format = new Intl.Locale(locale, { numberingSystem: "latn" }).toString();
  return { format, words: language, isOne: false };
}

/** Removes the direction marks that right-to-left locales put around signs and between digits. */
export function removeDirectionMarks(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
