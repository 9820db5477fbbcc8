import { toInstantMs, toLocalTimeMs, type LocalTimeMs } from "../base/time/local-time.ts";
import { normaliseTimestamp } from "./timestamp.ts";

export interface RelativeTimeContext {
  readonly now: Date;
  readonly timezone: string;
  /** Times that were resolved earlier, by filter name. The relative time of such a filter is not resolved again. */
  readonly instants?: Readonly<Record<string, string>>;
  /**
   * Set if the filters will be resolved at other moments too, as those of a schedule. Ranges that are empty only at some moments are then accepted.
   */
  readonly isOneOfMany?: true;
}

const beginnings = ["now", "today", "thisWeek", "thisMonth", "thisQuarter", "thisYear"] as const;
type Beginning = (typeof beginnings)[number];

export const relativeTimeRule = `one of ${beginnings.join(", ")}. A duration (ISO 8601, up to three parts) can follow behind + or -, such as thisMonth-P1M`;

export const relativeTimePattern =
  /^(?:now|today|thisWeek|thisMonth|thisQuarter|thisYear)(?:[+\- ]P(?:[0-9]{1,5}[YMWD])*(?:T(?:[0-9]{1,5}[HMS])+)?)?$/;

const textPattern = /^([A-Za-z]+)(?:([+\- ])(P.+))?$/;
const durationPattern =
  /^P(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/;
const maxDurationParts = 3;
const dayMs = 86_400_000;
const secondMs = 1000;

interface RelativeTime {
  readonly beginning: Beginning;
  readonly months: number;
  readonly days: number;
  readonly seconds: number;
}

/** Returns a relative time in its normal form; null if it is invalid. Reads a space as a plus sign, because queries often do not encode it. */
export function normaliseRelativeTime(text: string): string | null {
  return readRelativeTime(text) === null ? null : text.replace(" ", "+");
}

/**
 * Resolves a relative time to RFC 3339 in UTC. Adds months and days by the calendar of the time zone, then hours, minutes and seconds as elapsed
 * time. If the month lacks the day, the month's last day counts. Returns null for other text, and for results outside the years 1000 to 9999.
 */
export function resolveRelativeTime(text: string, moment: RelativeTimeContext): string | null {
  const { now, timezone } = moment;
  const time = readRelativeTime(text);
  const local = time === null ? null : resolveCalendar(time, moment);
  if (time === null || local === null) return null;
  // Without months and days, add to the exact instant. A local time in a repeated hour has two instants, so converting it could lose an hour.
  const instant = (dependsOnCalendar(time) ? toInstantMs(local, timezone) : now.getTime()) + time.seconds * secondMs;
  return isOutsideYears(instant) ? null : normaliseTimestamp(new Date(instant).toISOString());
}

/**
 * Resolves a relative time to a day of the calendar, such as `2026-01-31`, in the time zone. Days that the zone skipped, as Samoa did in 2011,
 * exist too. Returns null for other text, and for results outside the years 1000 to 9999.
 */
export function resolveRelativeDay(text: string, moment: RelativeTimeContext): string | null {
  const time = readRelativeTime(text);
  if (time === null) return null;
  if (time.seconds === 0) return writeDay(resolveCalendar(time, moment));
  const instant = resolveRelativeTime(text, moment);
  return instant === null ? null : writeDay(toLocalTimeMs(Date.parse(instant), moment.timezone));
}

function writeDay(local: LocalTimeMs | null): string | null {
  return local === null || isOutsideYears(local) ? null : new Date(local).toISOString().slice(0, 10);
}

function resolveCalendar(time: RelativeTime, { now, timezone }: RelativeTimeContext): LocalTimeMs | null {
  const began = beginningOf(time.beginning, toLocalTimeMs(now.getTime(), timezone));
  const local = addMonths(began, time.months) + time.days * dayMs;
  return Number.isNaN(local) || isOutsideYears(local) ? null : local;
}

export function isRelativeToNow(text: string): boolean {
  return readRelativeTime(text)?.beginning === "now";
}

export function dependsOnTimezone(text: string): boolean {
  const time = readRelativeTime(text);
  return time !== null && dependsOnCalendar(time);
}

function dependsOnCalendar({ beginning, months, days }: RelativeTime): boolean {
  return beginning !== "now" || months !== 0 || days !== 0;
}

function readRelativeTime(text: string): RelativeTime | null {
  const [, name, sign, length] = textPattern.exec(text) ?? [];
  const beginning = beginnings.find((each) => each === name);
  if (beginning === undefined) return null;
  if (length === undefined) return { beginning, months: 0, days: 0, seconds: 0 };
  const parts = durationPattern.exec(length)?.slice(1) ?? [];
  const count = parts.filter((part) => part !== undefined).length;
  if (count < 1 || count > maxDurationParts) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  );
  const factor = sign === "-" ? -1 : 1;
  return {
    beginning,
    months: factor * (years * 12 + months) + 0,
    days: factor * (weeks * 7 + days) + 0,
    seconds: factor * (hours * 3600 + minutes * 60 + seconds) + 0,
  };
}

function beginningOf(beginning: Beginning, local: LocalTimeMs): LocalTimeMs {
  if (beginning === "now") return local;
  const midnight = Math.floor(local / dayMs) * dayMs;
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (beginning) {
    case "today":
      return midnight;
    case "thisWeek":
      return midnight - ((date.getUTCDay() + 6) % 7) * dayMs;
    case "thisMonth":
      return Date.UTC(year, month, 1);
    case "thisQuarter":
      return Date.UTC(year, month - (month % 3), 1);
    case "thisYear":
      return Date.UTC(year, 0, 1);
  }
}

function addMonths(local: LocalTimeMs, months: number): LocalTimeMs {
  if (months === 0) return local;
  const date = new Date(local);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(2000 + (((date.getUTCFullYear() % 400) + 400) % 400), date.getUTCMonth() + 1, 0));
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()));
  return date.getTime();
}

function isOutsideYears(ms: number): boolean {
  return !(ms >= -30_610_224_000_000 && ms < 253_402_300_800_000);
}
