import { instantToWallClockMs, getZoneNameAt } from "./calendar-day.ts";
import { describeDuration, parseIsoDuration } from "./duration-part.ts";
import type { TimeRange } from "./parse-time.ts";

/** Options of the description of a time. */
export interface DescribeTimeOptions {
  /** The time zone in which times are shown and days begin. UTC by default, and if the zone is unknown. */
  readonly timezone?: string;
  /** Whether something expires at the time. Then a range up to now is described as `expired`. */
  readonly expires?: boolean;
}

const dayMs = 86_400_000;
/** Matches the beginning of an RFC 3339 time, because `Date.parse` also reads texts of other forms, such as 01/02/2026. */
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:/i;
const dayPattern = /^\d{4}-\d\d-\d\d$/;
const relativePattern = /^(now|today|this(?:Week|Month|Quarter|Year))(?:([+\- ])(P[0-9YMWDTHS]+))?$/;

/** Describes a time of the API's grammar in words: `in 30 days`, `the start of this month`, `31 Jan 2026`. Returns other text unchanged. */
export function describeTime(time: string, { timezone = "UTC" }: DescribeTimeOptions = {}): string {
  const [, base, sign, iso] = relativePattern.exec(time) ?? [];
  if (base !== undefined && iso !== undefined && wordsOf(iso) === "") return time;
  if (base !== undefined) return describeRelative(base, sign === "-" ? "-" : "+", iso);
  const midnight = midnightOf(time, timezone);
  if (midnight !== null) return dayWords(midnight);
  const instant = instantOf(time);
  if (Number.isNaN(instant)) return time;
  const clock = new Date(instantToWallClockMs(instant, timezone)).toISOString().slice(11, 19).replace(/:00$/, "");
  return `${dayWords(instantToWallClockMs(instant, timezone))}, ${clock} ${getZoneNameAt(instant, timezone, "short")}`;
}

/**
 * Describes a range of times of the API's grammar in words. They can follow a title: `within 30 days`, `from 1 Jan to 31 Jan 2026`, `this month`.
 */
export function describeTimeRange({ from, to }: TimeRange, options: DescribeTimeOptions = {}): string {
  const name = nameOfRange(from, to, options.expires === true);
  if (name !== null) return name;
  const { timezone = "UTC" } = options;
  if (from === undefined) return to === undefined ? "any time" : `before ${describeTime(to, options)}`;
  if (to === undefined) return `from ${describeTime(from, options)}`;
  const [first, end] = [midnightOf(from, timezone), midnightOf(to, timezone)];
  if (end === null) return `from ${describeTime(from, options)} to ${describeTime(to, options)}`;
  const last = end - dayMs;
  if (first === last) return `on ${dayWords(last)}`;
  if (first === null) return `from ${describeTime(from, options)} to ${dayWords(last)}`;
  const isSameYear = new Date(first).getUTCFullYear() === new Date(last).getUTCFullYear();
  return `from ${isSameYear ? dayWords(first).slice(0, -5) : dayWords(first)} to ${dayWords(last)}`;
}

function nameOfRange(from: string | undefined, to: string | undefined, expires: boolean): string | null {
  if (from === undefined && to === "now") return expires ? "expired" : "in the past";
  if (from === "now" && to === undefined) return expires ? "not expired" : "in the future";
  const ahead = from === "now" && to?.startsWith("now+P") === true ? wordsOf(to.slice(4)) : "";
  if (ahead !== "") return `within ${ahead}`;
  const ago = to === "now" && from?.startsWith("now-P") === true ? wordsOf(from.slice(4)) : "";
  if (ago !== "") return `in the last ${ago.replace(/^1 /, "")}`;
  return calendarRanges[`${from} ${to}`] ?? nameOfHalf(from, to, expires);
}

function nameOfHalf(from: string | undefined, to: string | undefined, expires: boolean): string | null {
  const [end, sign] = /^now([+-])P/.exec((to === undefined ? from : from === undefined ? to : "") ?? "") ?? [];
  if (end === undefined) return null;
  const words = wordsOf((to ?? from)!.slice(4));
  if (words === "") return null;
  if (to === undefined) return sign === "-" ? `from ${words} ago` : `in ${words} or later`;
  if (sign === "-") return `more than ${words} ago`;
  return expires ? `expired or within ${words}` : `up to ${words} from now`;
}

function wordsOf(iso: string): string {
  return describeDuration(parseIsoDuration(iso));
}

const calendarRanges: Readonly<Record<string, string>> = {
  "today today+P1D": "today",
  "today-P1D today": "yesterday",
  "today+P1D today+P2D": "tomorrow",
  ...Object.fromEntries(
    [
      ["Week", "1W", "2W"],
      ["Month", "1M", "2M"],
      ["Quarter", "3M", "6M"],
      ["Year", "1Y", "2Y"],
    ].flatMap(([unit = "", one, two]) => [
      [`this${unit} this${unit}+P${one}`, `this ${unit.toLowerCase()}`],
      [`this${unit}-P${one} this${unit}`, `last ${unit.toLowerCase()}`],
      [`this${unit}+P${one} this${unit}+P${two}`, `next ${unit.toLowerCase()}`],
    ]),
  ),
};

function describeRelative(base: string, sign: "+" | "-", iso: string | undefined): string {
  const parts = iso === undefined ? [] : parseIsoDuration(iso);
  const words = describeDuration(parts);
  if (base === "now") return words === "" ? "now" : sign === "-" ? `${words} ago` : `in ${words}`;
  const period = base.startsWith("this") ? base.slice(4).toLowerCase() : undefined;
  const [near] = parts.length === 1 ? parts : [];
  if (period === undefined) {
    if (words === "") return "today";
    if (words === "1 day") return sign === "-" ? "yesterday" : "tomorrow";
  } else {
    if (words === "") return `the start of this ${period}`;
    const isOne =
      near?.count === 1 ? near.unit === period : near?.count === 3 && period === "quarter" && near.unit === "month";
    if (isOne) return `the start of ${sign === "-" ? "last" : "next"} ${period}`;
  }
  return `${words} ${sign === "-" ? "before" : "after"} the start of ${period === undefined ? "today" : `this ${period}`}`;
}

function midnightOf(time: string, timezone: string): number | null {
  const day = dayPattern.test(time) ? Date.parse(time) : Number.NaN;
  if (!Number.isNaN(day)) return day;
  const instant = instantOf(time);
  const local = Number.isNaN(instant) ? Number.NaN : instantToWallClockMs(instant, timezone);
  return local % dayMs === 0 ? local : null;
}

function instantOf(time: string): number {
  return instantPattern.test(time) ? Date.parse(time) : Number.NaN;
}

function dayWords(local: number): string {
  const shown = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  return new Date(local).toLocaleDateString("en-GB", shown);
}
