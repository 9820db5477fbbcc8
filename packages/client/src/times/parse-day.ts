import type { LocalDateTime } from "./calendar-day.ts";

const monthNames = "January February March April May June July August September October November December".split(" ");
const maxQuoted = 30;

/** A day of the calendar, which may not exist. */
type Day = Omit<LocalDateTime, "minutes">;

/** Reads a day in lower case: `2026-01-31`, `31.01.2026`, `31 jan 2026`. Returns a sentence if the day is ambiguous, and null for other text. */
export function parseDay(text: string): Day | string | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) };
  return readNumbers(text) ?? readWords(text);
}

/** Reads a day that ends with its year. With dots, the day is first. With slashes or hyphens, the order has to be clear from the numbers. */
function readNumbers(text: string): Day | string | null {
  const [, first, separator, second, years = ""] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})$/.exec(text) ?? [];
  if (first === undefined) return null;
  const [a, b, year] = [Number(first), Number(second), Number(years)];
  if (years.length === 2)
    return `${quoteForMessage(text)} has a year of two digits. Write four digits, such as 31.01.2026.`;
  if (separator === "." || a === b || (a > 12 && b <= 12)) return { year, month: b, day: a };
  if (b > 12) return { year, month: a, day: b };
  return `${quoteForMessage(text)} can mean ${a} ${monthNames[b - 1]} or ${b} ${monthNames[a - 1]}. Write ${two(a)}.${two(b)}.${year} (day first) or ${year}-${two(a)}-${two(b)}.`;
}

function readWords(text: string): Day | null {
  const {
    day,
    name = "",
    year,
  } = (
    /^(?<day>\d{1,2})\.? (?<name>[a-z]{3,9})\.?,? (?<year>\d{4})$/.exec(text) ??
    /^(?<name>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/.exec(text)
  )?.groups ?? {};
  const month = name === "" ? 0 : monthNames.findIndex((each) => each.toLowerCase().startsWith(name)) + 1;
  return month === 0 ? null : { year: Number(year), month, day: Number(day) };
}

/** Quotes a text in a message, and cuts it after 30 characters. */
export function quoteForMessage(text: string): string {
  const shown = text.trim();
  return JSON.stringify(shown.length > maxQuoted ? `${shown.slice(0, maxQuoted)}…` : shown);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
