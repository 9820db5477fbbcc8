import { maxLocales, memoize } from "../memoize.ts";

export interface DateFormat {
  /** Formats a date: `2026-02-28` → `28 Feb 2026`. Other text (`infinity`) is returned unchanged. */
  date(text: string): string;
  /** Formats a time such as `13:14` with the locale's 12 or 24 hours. */
  time(text: string): string;
  /** Formats an offset from UTC, such as `+02` or `-03:30`, in the locale's digits. The sign stays in front, also in right-to-left text. */
  offset(text: string): string;
  /** Formats a date with the separator that precedes a time: `28 Feb 2026, `. */
  beforeTime(text: string): string;
}

/** Returns the date format of a locale, whose Gregorian conventions are read from Intl once. English without a country is British, because `02/03/2026` would be ambiguous. */
export const getDateFormat: (locale: string) => DateFormat = memoize(createDateFormat, maxLocales);

function createDateFormat(locale: string): DateFormat {
  const tag = locale === "en" ? "en-GB" : locale;
  const common = { timeZone: "UTC", calendar: "gregory" } as const;
  const day = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium" });
  const clock = new Intl.DateTimeFormat(tag, { ...common, hour: "2-digit", minute: "2-digit" });
  const both = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium", timeStyle: "short" }).formatToParts(0);
  const hour = both.findIndex(({ type }) => type === "hour");
  const isPlainTime = clock.format(new Date(Date.UTC(2026, 0, 1, 13, 14, 15))) === "13:14";
  const writeDate = createDateWriter(day);
  const times = memoize((text) => {
    const at = Date.parse(`2026-01-01T${text}:00Z`);
    return Number.isNaN(at) ? text : clock.format(at);
  });
  const digit = new Intl.NumberFormat(tag, { useGrouping: false });
  const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(day.format(0));
  const offset = (text: string): string => {
    const inDigits = text.replaceAll(/\d/g, (each) => digit.format(Number(each)));
    // Between right-to-left words a sign moves to the wrong side of its number (UAX 9), unless sign and number are isolated.
    return isRightToLeft ? `\u2066${inDigits}\u2069` : inDigits;
  };
  const literal = both[hour - 1]?.type === "literal" ? both[hour - 1]!.value : " ";
  // A date can end in a literal ("日 ", ". ") that also begins the separator. It belongs to the date and must not be written twice.
  const last = day.formatToParts(0).at(-1)!;
  const ending = last.type === "literal" ? last.value : "";
  const between = ending !== "" && literal.startsWith(ending) ? literal.slice(ending.length) : literal;
  return {
    date: memoize(writeDate),
    time: isPlainTime ? (text) => text : times,
    offset: memoize(offset),
    beforeTime: memoize((text) => writeDate(text) + between),
  };
}

/** Makes the function that builds dates from parts. Intl formats each part once, because a report can have as many dates as there are days. */
function createDateWriter(format: Intl.DateTimeFormat): (text: string) => string {
  const partOf = (type: string) =>
    memoize((date) => format.formatToParts(Date.parse(date)).find((part) => part.type === type)?.value ?? "");
  const [year, month, day] = [partOf("year"), partOf("month"), partOf("day")];
  // Intl's formatted texts have plain spaces where its parts have narrow ones.
  const pattern = format.formatToParts(0).map(({ type, value }) => ({ type, value: value.replaceAll("\u202F", " ") }));
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
