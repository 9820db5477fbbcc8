import type { Language } from "@reports/core/report";
import { createDatePartsWriter, joinDateParts, type DatePartsWriter } from "./date-parts.ts";
import { getDocumentLocales } from "./format-tags.ts";
import { maxCachedLocales, memoize } from "./memoize.ts";

export interface DateFormatter {
  /** Formats a date: `2026-02-28` → `28 Feb 2026`. Returns other text, such as `infinity`, unchanged. */
  date(text: string): string;
  time(text: string): string;
  /**
   * Formats a time of day, rounded down to the second and without `:00` seconds, such as `13:14:15` for `13:14:15.5`. The end of the day is `24:00`
   * in every locale.
   */
  timeOfDay(text: string): string;
  /** Formats an offset from UTC, such as `+02` or `-03:30`, in the locale's digits. The sign stays in front, also in right-to-left text. */
  offset(text: string): string;
  /** Formats a date, followed by the separator that the locale puts before a time: `28 Feb 2026, `. */
  beforeTime(text: string): string;
}

/** Returns the date format of a locale, cached because Intl is slow. Month names and am/pm are in `language`, by default the locale's. */
export function getDateFormatter(locale: string, language?: Language): DateFormatter {
  return createDateFormat(`${locale} ${language ?? ""}`);
}

const createDateFormat = memoize((key): DateFormatter => {
  const [locale = "", given] = key.split(" ");
  const language = given === "" ? undefined : (given as Language);
  const { format: tag, isOne } = getDocumentLocales(locale, language);
  const partsOf = (options: Intl.DateTimeFormatOptions): DatePartsWriter =>
    createDatePartsWriter(locale, options, language);
  const day = partsOf({ dateStyle: "medium" });
  const clock = partsOf({ hour: "2-digit", minute: "2-digit" });
  const clockOfSeconds = partsOf({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const both = partsOf({ dateStyle: "medium", timeStyle: "short" })(0);
  const hour = both.findIndex(({ type }) => type === "hour");
  const isPlainTime = joinDateParts(clock(new Date(Date.UTC(2026, 0, 1, 13, 14, 15)))) === "13:14";
  const writeDate = createDateWriter(day);
  const times = memoize((text) => {
    const hasSeconds = text.length > 5;
    const at = Date.parse(`2026-01-01T${text}${hasSeconds ? "" : ":00"}Z`);
    return Number.isNaN(at) ? text : joinDateParts((hasSeconds ? clockOfSeconds : clock)(at)).replaceAll("\u202F", " ");
  });
  const digit = new Intl.NumberFormat(tag, { useGrouping: false });
  const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(joinDateParts(day(0)));
  const offset = (text: string): string => {
    const inDigits = text.replaceAll(/\d/g, (each) => digit.format(Number(each)));
    // Between right-to-left words a sign moves to the wrong side of its number (UAX 9), unless sign and number are isolated.
    return isRightToLeft ? `\u2066${inDigits}\u2069` : inDigits;
  };
  const literal = isOne && both[hour - 1]?.type === "literal" ? both[hour - 1]!.value : isOne ? " " : ", ";
  // A date can end in a literal ("日 ", ". ") that also begins the separator before a time. The literal must be written only once.
  const last = day(0).at(-1)!;
  const ending = last.type === "literal" ? last.value : "";
  const between = ending !== "" && literal.startsWith(ending) ? literal.slice(ending.length) : literal;
  return {
    date: memoize(writeDate),
    time: isPlainTime ? (text) => text : times,
    timeOfDay(text) {
      const shown = text.slice(0, text.slice(6, 8) === "00" ? 5 : 8);
      return isPlainTime || shown.startsWith("24") ? shown : times(shown);
    },
    offset: memoize(offset),
    beforeTime: memoize((text) => writeDate(text) + between),
  };
}, maxCachedLocales);

function createDateWriter(partsOf: DatePartsWriter): (text: string) => string {
  const partOf = (type: string) =>
    memoize((date) => partsOf(Date.parse(date)).find((part) => part.type === type)?.value ?? "");
  const [year, month, day] = [partOf("year"), partOf("month"), partOf("day")];
  // Intl's `format` writes plain spaces where `formatToParts` has narrow ones (U+202F).
  const pattern = partsOf(0).map(({ type, value }) => ({ type, value: value.replaceAll("\u202F", " ") }));
  return (text) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(Date.parse(text))) return text;
    let written = "";
    for (const { type, value } of pattern) {
      if (type === "year") written += year(`${text.slice(0, 4)}-01-01`);
      else if (type === "month") written += month(`2026-${text.slice(5, 7)}-01`);
      else if (type === "day") written += day(`2026-01-${text.slice(8)}`);
      else written += value;
    }
    return written;
  };
}
