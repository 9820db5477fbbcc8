/** Number formats of dates and times, as styles.xml writes them before XML's own escapes. */
export interface DateCodes {
  readonly date: string;
  readonly timestamp: string;
  /** Characters that a timestamp takes. */
  readonly timestampWidth: number;
}

type Parts = Readonly<Intl.DateTimeFormatOptions>;

const day: Parts = { year: "numeric", month: "2-digit", day: "2-digit" };
const time: Parts = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const codes: Readonly<Record<string, string>> = {
  year: "yyyy",
  month: "mm",
  day: "dd",
  hour: "hh",
  minute: "mm",
  second: "ss",
  dayPeriod: "AM/PM",
};
const iso: DateCodes = { date: "yyyy\\-mm\\-dd", timestamp: "yyyy\\-mm\\-dd\\ hh:mm:ss", timestampWidth: 19 };

/**
 * How a locale writes dates, in figures: order, separators and the twelve or twenty-four hours of a day. English without a country says
 * nothing of them (02/03 is read in two ways): then they are those of ISO 8601.
 */
export function dateCodesOf(locale: string): DateCodes {
  if (locale === "en") return iso;
  const timestamp = codeOf(locale, { ...day, ...time });
  return { date: codeOf(locale, day), timestamp, timestampWidth: timestamp.replaceAll("\\", "").length };
}

function codeOf(locale: string, parts: Parts): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...parts,
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
  return format
    .formatToParts(0)
    .map(({ type, value }) => codes[type] ?? (type === "literal" ? literal(value) : ""))
    .join("")
    .replace(/^(?:\\ )+|(?<!\\ )(?:\\ )+$/g, "");
}

/** Every character but the colon of times stands for itself; marks of direction are left out, as are spaces that do not break. */
function literal(text: string): string {
  return text
    .replaceAll(/[\u200E\u200F\u061C]/g, "")
    .replaceAll(/\s/g, " ")
    .replaceAll(/[^:]/gu, (character) => `\\${character}`);
}
