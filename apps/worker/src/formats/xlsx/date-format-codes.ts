/** Number formats of styles.xml, not yet escaped for XML. */
export interface DateFormatCodes {
  readonly date: string;
  readonly timestamp: string;
  /** Number format of times of day. It shows the end of a day as 24:00:00, not as 00:00:00. */
  readonly time: string;
  readonly timeWidth: number;
  readonly timestampWidth: number;
}

type DateParts = Readonly<Intl.DateTimeFormatOptions>;

const day: DateParts = { year: "numeric", month: "2-digit", day: "2-digit" };
const timeParts: DateParts = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const codeByPart: Readonly<Record<string, string>> = {
  year: "yyyy",
  month: "mm",
  day: "dd",
  hour: "hh",
  minute: "mm",
  second: "ss",
  dayPeriod: "AM/PM",
};
const iso: DateFormatCodes = {
  date: "yyyy\\-mm\\-dd",
  timestamp: "yyyy\\-mm\\-dd\\ hh:mm:ss",
  timestampWidth: 19,
  ...timeCode("hh:mm:ss"),
};

/** Returns the numeric date formats of a locale. English without a country gets ISO 8601, because 02/03 would be ambiguous. */
export function createDateFormatCodes(locale: string): DateFormatCodes {
  if (locale === "en") return iso;
  const timestamp = createFormatCode(locale, { ...day, ...timeParts });
  return {
    date: createFormatCode(locale, day),
    timestamp,
    timestampWidth: widthOf(timestamp),
    ...timeCode(createFormatCode(locale, timeParts)),
  };
}

function timeCode(code: string): Pick<DateFormatCodes, "time" | "timeWidth"> {
  return { time: `[<1]${code};[h]:mm:ss`, timeWidth: widthOf(code) };
}

function widthOf(code: string): number {
  return code.replaceAll("\\", "").length;
}

function createFormatCode(locale: string, parts: DateParts): string {
  const format = new Intl.DateTimeFormat(locale, {
    ...parts,
    timeZone: "UTC",
    calendar: "gregory",
    numberingSystem: "latn",
  });
  return format
    .formatToParts(0)
    .map(({ type, value }) => codeByPart[type] ?? (type === "literal" ? quoteLiteral(value) : ""))
    .join("")
    .replace(/^(?:\\ )+|(?<!\\ )(?:\\ )+$/g, "");
}

/** Escapes every character except the colon of times. Removes direction marks and replaces non-breaking spaces by plain ones. */
function quoteLiteral(text: string): string {
  return text
    .replaceAll(/[\u200E\u200F\u061C]/g, "")
    .replaceAll(/\s/g, " ")
    .replaceAll(/[^:]/gu, (character) => `\\${character}`);
}
