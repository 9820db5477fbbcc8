import { createTimestampConverter } from "@reports/core/base";
import { type ReportColumn, type ReportOptions } from "@reports/core/report";
import { parseTextArray } from "../../wire/read-rows.ts";
import { isolateText } from "../text-direction.ts";
import { createAmountFormatter } from "../amount-formatter.ts";
import { createBooleanTitles, createTitleLookup } from "../value-titles.ts";
import { getDateFormatter, type DateFormatter } from "../date-formatter.ts";
import { getNumberFormatter, type NumberFormatter } from "../number-formatter.ts";
import { memoize } from "../memoize.ts";
import { getAmbiguousTimeChecker } from "./repeated-times.ts";
import { getWords, type Words } from "../words/words.ts";

/** Shown for null. An empty text is shown as nothing, so that the two differ. */
export const nullCellText = "–";

/** Returns the text of a value. `code` is the row's currency, which only amounts need whose currency is in another column. */
export type CellFormatter = (value: string, code?: string | null) => string;

export interface CellFormatContext {
  readonly numbers: NumberFormatter;
  readonly dates: DateFormatter;
  /** IANA time zone. Times in UTC are shown without an offset. */
  readonly timezone: string;
  readonly words: Words;
}

export function createCellFormatContext({
  locale,
  language,
  timezone,
}: Pick<ReportOptions, "locale" | "language" | "timezone">): CellFormatContext {
  return {
    numbers: getNumberFormatter(locale, language),
    dates: getDateFormatter(locale, language),
    timezone,
    words: getWords(language),
  };
}

export function createCellFormatter(
  column: Pick<ReportColumn, "kind" | "plainDigits" | "titles" | "daysUntil" | "unit" | "currency" | "digits">,
  conventions: CellFormatContext,
): CellFormatter {
  if (column.plainDigits) return (value) => value;
  if (column.daysUntil !== undefined) return (value) => describeDaysUntilExpiry(Number(value), conventions);
  const titleOf = createTitleLookup(column.titles);
  switch (column.kind) {
    case "integer":
    case "bigint":
    case "decimal":
    case "ratio":
    case "bytes":
    case "duration":
      return createAmountFormatter(column, conventions.numbers).write;
    case "boolean": {
      const titles = createBooleanTitles(conventions.words);
      return (value) => (value === "t" ? titles.t : titles.f);
    }
    case "timestamp":
      return createTimestampFormat(conventions);
    case "list": {
      const joined = (value: string): string => parseElementsWith(titleOf, value).join(", ");
      // Lists of codes repeat often, so their texts are cached. Other lists seldom repeat.
      return column.titles === undefined ? joined : memoize(joined);
    }
    case "date":
      return conventions.dates.date;
    case "time":
      return (value) => conventions.dates.timeOfDay(value);
    case "text":
      return titleOf;
  }
}

/** Writes the days until an expiry in words. The days are rounded down, so -1 is less than a day ago. */
function describeDaysUntilExpiry(days: number, { numbers, words }: CellFormatContext): string {
  if (days === -1) return words.text("expiredWithinDay");
  if (days === 0) return words.text("expiresWithinDay");
  const count = Math.abs(days);
  return words.counted(days < 0 ? "expiredDaysAgo" : "expiresInDays", count, numbers.decimal(String(count)));
}

export function parseListTitles({ titles = {} }: Pick<ReportColumn, "titles">, value: string): string[] {
  return parseElementsWith((element) => (Object.hasOwn(titles, element) ? titles[element]! : element), value);
}

function parseElementsWith(titleOf: (element: string) => string, value: string): string[] {
  // Elements are isolated, because a right-to-left element would reorder its neighbours.
  return parseTextArray(value).map((element) => (element === null ? nullCellText : isolateText(titleOf(element))));
}

/** Matches years before 1 and after 9999 as Postgres writes them. No locale has formats for them. */
const farYearPattern = /^(\d{5,}-|\d.* BC$)/;

/**
 * Returns the format of timestamps in minutes, rounded down. The document states the zone, so only a time that occurs twice or stays in UTC shows
 * its offset. Times outside the years 1 to 9999 are shown as Postgres writes them.
 */
function createTimestampFormat({ dates, timezone }: CellFormatContext): CellFormatter {
  // Rows that are sorted by time often have the day of the row before, so the formatted day is reused.
  let day = "never";
  let shownDay = "";
  const written = (value: string): string => {
    if (!value.startsWith(day)) {
      day = value.slice(0, 10);
      shownDay = dates.beforeTime(day);
    }
    return shownDay + dates.time(value.slice(11, 16));
  };
  const isUtc = timezone === "UTC";
  const localOf = createTimestampConverter(timezone);
  const repeats = getAmbiguousTimeChecker(timezone);
  return (wireText) => {
    const value = localOf(wireText);
    if (farYearPattern.test(value)) return value.replace(isUtc ? /(?:\.\d+)?\+00/ : /\.\d+/, "");
    if (value[4] !== "-") return value;
    // A time whose local year would be 10000 is in UTC, so it needs its offset.
    const needsOffset = !isUtc && (/^9999-12-31 .*\+00$/.test(value) || repeats(value));
    if (!needsOffset) return written(value);
    const offset = /[+-]\d\d(:\d\d)*$/.exec(value);
    return `${written(value)}${offset === null ? "" : ` ${dates.offset(offset[0])}`}`;
  };
}
