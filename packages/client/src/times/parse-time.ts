import { hasAcceptedYear, toWallClockMs, formatWallClockDay, formatWallClockMs } from "./calendar-day.ts";
import { parseDurationWords, formatIsoDuration, type DurationPart } from "./duration-part.ts";
import { quoteForMessage, parseDay } from "./parse-day.ts";

/** A range of times in the API's grammar. It includes `from` and excludes `to`. */
export interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/** The result of a parser: a value, or a sentence for people that says which texts are understood. */
export type Parsed<T> =
  | { readonly value: T; readonly wrong?: undefined }
  | { readonly value?: undefined; readonly wrong: string };

/** Options for reading a time that a person typed. */
export interface ParseTimeOptions {
  /** The time zone in which days begin: the time zone of the report or of the list. UTC by default, and if the zone is unknown. */
  readonly timezone?: string;
  /** The direction of a duration that names none, such as `30d`. `future` (default) is in 30 days, `past` is 30 days ago. */
  readonly direction?: "future" | "past";
  /** Whether days are needed, as by a filter of days. Days are then returned as `2026-01-31`, and a time of day is refused. */
  readonly days?: boolean;
}

interface Period {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;
const maxLength = 80;
const understood = "Write 30d, in 30 days, 31.01.2026, 2026-01-31, today or this month.";
const tooLong = `A time has at most ${maxLength} characters. ${understood}`;
const grammarPattern = /^(?:now|today|this(?:Week|Month|Quarter|Year))(?:[+\- ]P[0-9YMWDTHS]+)?$/;
const rfc3339Pattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;
const dayPattern = /^\d{4}-\d\d-\d\d$/;
const periodLengths: Readonly<Record<string, string>> = { week: "P1W", month: "P1M", quarter: "P3M", year: "P1Y" };

const namedDays: ReadonlyMap<string, Period> = new Map([
  ["yesterday", { from: "today-P1D", to: "today" }],
  ["today", { from: "today", to: "today+P1D" }],
  ["tomorrow", { from: "today+P1D", to: "today+P2D" }],
]);

/**
 * Reads a time as people write it and returns it in the API's grammar: `in 30 days` becomes `now+P30D`. Days and other periods mean their
 * beginning. Times of the API's grammar are returned unchanged.
 */
export function parseTime(text: string, options: ParseTimeOptions = {}): Parsed<string> {
  const period = readPeriod(text, options);
  return typeof period === "string" ? { wrong: period } : { value: period.from };
}

/** Reads a range of times as people write it: `within 30 days`, `last 7 days`, `this month`, `1.1.2026 to 31.1.2026`. A last day is included. */
export function parseTimeRange(text: string, options: ParseTimeOptions = {}): Parsed<TimeRange> {
  const range = readRange(text, options);
  return typeof range === "string" ? { wrong: range } : { value: range };
}

/**
 * Reads one end of a range as people write it. A day or another period at the end `to` is included: its end is returned. Times of the API's
 * grammar are returned unchanged.
 */
export function parseTimeRangeEnd(text: string, end: keyof TimeRange, options: ParseTimeOptions = {}): Parsed<string> {
  const period = readPeriod(text, options);
  if (typeof period !== "string") return { value: period[end] };
  const isRange = typeof readRange(text, options) !== "string";
  return { wrong: isRange ? `${quoteForMessage(text)} is a range of times. Write one time here.` : period };
}

function readRange(text: string, options: ParseTimeOptions): TimeRange | string {
  if (text.length > maxLength) return tooLong;
  const exact = joinSpaces(text);
  const words = exact.toLowerCase();
  if (words === "expired" || words === "in the past") return { to: "now" };
  if (words === "not expired" || words === "in the future") return { from: "now" };
  const [, relation, span = ""] =
    /^((?:in )?(?:the )?(?:last|past|next)|within(?: the next)?|in) (.+)$/.exec(words) ?? [];
  const duration = relation === undefined ? null : parseDurationWords(span);
  if (duration !== null) return rangeOf(duration, /last|past/.test(relation!) ? "past" : "future");
  const bare = parseDurationWords(words);
  if (bare !== null) return rangeOf(bare, options.direction ?? "future");
  // `exact` keeps upper and lower case, because names of the API's grammar such as `thisMonth` need it.
  const bounds = exact.replace(/^(?:from|between) /i, "");
  const [separator] = / to | and | until | - | ?\.\. ?/i.exec(bounds) ?? [];
  const [first = "", ...rest] = separator === undefined ? [] : bounds.split(separator);
  const last = rest.join(separator);
  if (first !== "" && last !== "") {
    const [from, to] = [readPeriod(first, options), readPeriod(last, options)];
    if (typeof from === "string") return from;
    if (typeof to === "string") return to;
    const isEmpty =
      [from.from, to.to].every((time) => rfc3339Pattern.test(time) || dayPattern.test(time)) &&
      Date.parse(from.from) >= Date.parse(to.to);
    if (isEmpty)
      return `${quoteForMessage(last)} is not after ${quoteForMessage(first)}. Write the earlier time first.`;
    return { from: from.from, to: to.to };
  }
  const [, preposition, time = text] = /^(before|until|after|since|from) (.+)$/i.exec(text.trim()) ?? [];
  const period = readPeriod(time, options);
  if (typeof period === "string") return period;
  switch (preposition?.toLowerCase()) {
    case "before":
      return { to: period.from };
    case "until":
      return { to: period.to };
    case "after":
      return { from: period.to };
    case "since":
    case "from":
      return { from: period.from };
    default:
      if (period.from !== period.to) return period;
      if (period.from.startsWith("now-P")) return { from: period.from, to: "now" };
      return `${quoteForMessage(text)} is one moment. Write before or after in front of it, or two times with to between them.`;
  }
}

function rangeOf(duration: DurationPart, direction: "future" | "past"): TimeRange {
  return direction === "future"
    ? { from: "now", to: `now+${formatIsoDuration(duration)}` }
    : { from: `now-${formatIsoDuration(duration)}`, to: "now" };
}

function readPeriod(given: string, options: ParseTimeOptions): Period | string {
  if (given.length > maxLength) return tooLong;
  const exact = given.trim();
  const text = joinSpaces(given).toLowerCase();
  const named = readNamedPeriod(text);
  if (named !== null) return named;
  if (grammarPattern.test(exact)) return momentOf(exact.replace(" ", "+"));
  if (rfc3339Pattern.test(exact)) return options.days === true ? noTimeOfDay(given) : momentOf(exact);
  return (
    readRelative(text, options.direction) ??
    readDate(text, options) ??
    `${quoteForMessage(given)} is not a time. ${understood}`
  );
}

function readNamedPeriod(text: string): Period | null {
  if (text === "now") return momentOf("now");
  const day = namedDays.get(text);
  if (day !== undefined) return day;
  const [, which, unit = ""] = /^(this|last|next) (week|month|quarter|year)$/.exec(text) ?? [];
  if (which === undefined) return null;
  const start = `this${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
  const length = periodLengths[unit]!;
  if (which === "last") return { from: `${start}-${length}`, to: start };
  if (which === "this") return { from: start, to: `${start}+${length}` };
  return { from: `${start}+${length}`, to: `${start}+${length.replace(/\d+/, (count) => String(Number(count) * 2))}` };
}

function readRelative(text: string, direction: ParseTimeOptions["direction"]): Period | string | null {
  const [, before, span = "", ago] = /^(in |\+ ?|- ?)?(.+?)( ago| from now)?$/.exec(text) ?? [];
  if (/^\d+ ?m$/.test(span))
    return `${quoteForMessage(text)} can mean minutes or months. Write ${span.replace(/ ?m$/, "")} min or ${span.replace(/ ?m$/, "")} months.`;
  const duration = parseDurationWords(span);
  if (duration === null) return null;
  const isPast =
    ago === " ago" ||
    before?.startsWith("-") === true ||
    (before === undefined && ago === undefined && direction === "past");
  return momentOf(`now${isPast ? "-" : "+"}${formatIsoDuration(duration)}`);
}

function readDate(text: string, { timezone = "UTC", days = false }: ParseTimeOptions): Period | string | null {
  const [, day, dayBeforeT, hours, minutes] = /^(?:(.+?),? (?:at )?|(.*\d)t)(\d{1,2}):(\d\d)$/.exec(text) ?? [];
  const found = parseDay(day ?? dayBeforeT ?? text);
  if (found === null || typeof found === "string") return found;
  const local = toWallClockMs({ ...found, minutes: hours === undefined ? 0 : Number(hours) * 60 + Number(minutes) });
  if (local === null || Number(minutes ?? 0) > 59)
    return `${quoteForMessage(text)} is a day or a time that does not exist.`;
  if (days)
    return hours === undefined
      ? { from: formatWallClockDay(local), to: formatWallClockDay(local + dayMs) }
      : noTimeOfDay(text);
  const from = formatWallClockMs(local, timezone);
  if (!hasAcceptedYear(from)) return `${quoteForMessage(text)} is outside the years 1000 to 9999 in UTC.`;
  return hours === undefined ? { from, to: formatWallClockMs(local + dayMs, timezone) } : momentOf(from);
}

function noTimeOfDay(text: string): string {
  return `${quoteForMessage(text)} has a time of day. Write a day, such as 31.01.2026 or 2026-01-31.`;
}

function momentOf(time: string): Period {
  return { from: time, to: time };
}

function joinSpaces(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
