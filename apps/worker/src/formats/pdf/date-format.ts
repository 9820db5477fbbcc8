import { maxLocales, memoize } from "../memoize.ts";

/** Writes dates as a locale does, from the text of the wire form. */
export interface DateFormat {
  /** `2026-02-28` → `28 Feb 2026`. Other text (`infinity`) is returned unchanged. */
  date(text: string): string;
  /** `13:14:15`, as the locale counts hours. */
  time(text: string): string;
  /** An offset from UTC, `+02` or `-03:30`, in the locale's digits, with its sign in front in either direction. */
  offset(text: string): string;
  /** The date and its separator from a time: `28 Feb 2026, `. */
  beforeTime(text: string): string;
}

/** Reads a locale's Gregorian conventions from Intl once. English without a country is British: `02/03/2026` is ambiguous. */
export const dateFormatOf: (locale: string) => DateFormat = memoize(createDateFormat, maxLocales);

function createDateFormat(locale: string): DateFormat {
  const tag = locale === "en" ? "en-GB" : locale;
  const common = { timeZone: "UTC", calendar: "gregory" } as const;
  const day = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium" });
  const clock = new Intl.DateTimeFormat(tag, { ...common, hour: "2-digit", minute: "2-digit", second: "2-digit" });
  const both = new Intl.DateTimeFormat(tag, { ...common, dateStyle: "medium", timeStyle: "medium" }).formatToParts(0);
  const hour = both.findIndex(({ type }) => type === "hour");
  const isPlainTime = clock.format(new Date(Date.UTC(2026, 0, 1, 13, 14, 15))) === "13:14:15";
  const writeDate = createDateWriter(day);
  const times = memoize((text) => {
    const at = Date.parse(`2026-01-01T${text}Z`);
    return Number.isNaN(at) ? text : clock.format(at);
  });
  const digit = new Intl.NumberFormat(tag, { useGrouping: false });
  const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(day.format(0));
  const offset = (text: string): string => {
    const inDigits = text.replaceAll(/\d/g, (each) => digit.format(Number(each)));
    // Between right-to-left words a sign moves to the wrong side of its number (UAX 9) unless both are isolated.
    return isRightToLeft ? `\u2066${inDigits}\u2069` : inDigits;
  };
  const literal = both[hour - 1]?.type === "literal" ? both[hour - 1]!.value : " ";
  // The end of a date also precedes the time ("日 ", ". "): it belongs to the date and is written once.
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

/** Builds dates from parts that Intl formats once each: a report can have as many dates as there are days. */
function createDateWriter(format: Intl.DateTimeFormat): (text: string) => string {
  const partOf = (type: string) =>
    memoize((date) => format.formatToParts(Date.parse(date)).find((part) => part.type === type)?.value ?? "");
  const [year, month, day] = [partOf("year"), partOf("month"), partOf("day")];
  // Intl's texts have plain spaces where its parts have narrow ones.
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
