import { getFormatTags, removeDirectionMarks } from "./format-tags.ts";
import type { Language } from "@reports/core/report";

type DateOptions = Readonly<Intl.DateTimeFormatOptions>;

/** Writes a date or time as parts. */
export type DatePartsWriter = (at: number | Date) => readonly Intl.DateTimeFormatPart[];

const numericDay: DateOptions = { year: "numeric", month: "2-digit", day: "2-digit" };

/**
 * Makes the writer of dates or times in the order, separators and digits of a locale. If the document has another language, it gives the names of months and
 * the halves of the day. If the format of the locale has other words (ja: 2026年), its digits are used; if these have words too, the format of the language.
 */
export function createDatePartsWriter(locale: string, options: DateOptions, language?: Language): DatePartsWriter {
  const { format, words, isOne } = getFormatTags(locale, language);
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

/** English without a country is British, because 02/03/2026 would be ambiguous. */
function withCountry(tag: string): string {
  return /^en(?=$|-u-)/.test(tag) ? tag.replace("en", "en-GB") : tag;
}

function hasNoOtherWords(format: Intl.DateTimeFormat): boolean {
  return format.formatToParts(0).every(({ type, value }) => type !== "literal" || !/\p{L}/u.test(value));
}

export function joinParts(parts: readonly { readonly value: string }[]): string {
  return parts.map(({ value }) => value).join("");
}
