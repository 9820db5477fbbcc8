import { getDocumentLocales, removeDirectionMarks } from "./format-tags.ts";
import type { Language } from "@reports/core/report";

type DateOptions = Readonly<Intl.DateTimeFormatOptions>;

export type DatePartsWriter = (at: number | Date) => readonly Intl.DateTimeFormatPart[];

const numericDay: DateOptions = { year: "numeric", month: "2-digit", day: "2-digit" };

/**
 * Returns a writer of dates or times in the order, separators and digits of a locale. Month names and am/pm are in `language`. If the locale's format
 * contains other words (ja: 2026年), the writer uses its numeric format. If that has words too, it uses the language's format.
 */
export function createDatePartsWriter(locale: string, options: DateOptions, language?: Language): DatePartsWriter {
  const { format, words, isOne } = getDocumentLocales(locale, language);
  const formatOf = (tag: string, chosen: DateOptions) =>
    new Intl.DateTimeFormat(withCountry(tag), { timeZone: "UTC", ...chosen, calendar: "gregory" });
  const own = formatOf(format, options);
  if (isOne) return (at) => own.formatToParts(at);
  const isDay = options.dateStyle !== undefined;
  const { timeZone = "UTC" } = options;
  const inDigits = isDay ? [formatOf(format, { timeZone, ...numericDay })] : [];
  const chosen = [own, ...inDigits].find(hasNoOtherWords) ?? formatOf(words, options);
  const named = formatOf(words, {
    timeZone,
    day: "numeric",
    month: options.dateStyle === "long" ? "long" : "short",
    hour: "numeric",
    hour12: true,
  });
  return (at) => {
    const inWords = named.formatToParts(at);
    return chosen.formatToParts(at).map(({ type, value }) => {
      const isName = type === "dayPeriod" || (type === "month" && /\p{L}/u.test(value));
      const word = isName ? inWords.find((part) => part.type === type)?.value : undefined;
      return { type, value: word ?? removeDirectionMarks(value) };
    });
  };
}

/** Makes English without a country British, because Intl takes plain `en` as American, where 02/03/2026 means February 3. */
function withCountry(tag: string): string {
  return /^en(?=$|-u-)/.test(tag) ? tag.replace("en", "en-GB") : tag;
}

function hasNoOtherWords(format: Intl.DateTimeFormat): boolean {
  return format.formatToParts(0).every(({ type, value }) => type !== "literal" || !/\p{L}/u.test(value));
}

export function joinDateParts(parts: readonly { readonly value: string }[]): string {
  return parts.map(({ value }) => value).join("");
}
