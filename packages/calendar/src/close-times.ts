import { bisect, toLocalTimeMs } from "@reports/core/base";
import type { CronRule } from "@reports/core/schedule";
import { parseCronPatternOrThrow, type CronPattern } from "./cron-pattern.ts";

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/**
 * The range of dates in which close times are searched, as UTC milliseconds. In 28 years, every date falls on every weekday, with and without a
 * leap day. The range is fixed, so that results do not depend on today.
 */
const calendarCycle = [Date.UTC(2001, 0, 1), Date.UTC(2029, 0, 2)] as const;
/** 28 years in which the clock changes of time zones are known, as UTC milliseconds. */
const zoneYears = [Date.UTC(2025, 0, 1), Date.UTC(2053, 0, 1)] as const;
/** Minimum time between two clock changes of a zone, so that a search in such steps misses none. */
const clockChangeStepMs = 7 * dayMs;

type FindRunsAfter = (rule: CronRule, after: Date) => Iterable<Date>;

/**
 * Returns two times of a schedule's rule that are less than `minMinutes` apart, such as `06:00 and 06:05`. Returns null if there are none on any
 * date, even when the clocks change. The result does not depend on today. Throws RangeError for an invalid pattern.
 */
export function describeTooCloseRuns(rule: CronRule, minMinutes: number, timesAfter: FindRunsAfter): string | null {
  const minMs = minMinutes * minuteMs;
  if (minMs <= minuteMs) return null;
  const [minute, hour, ...days] = rule.cron.split(" ");
  const times = listTimesOrClosePair(parseCronPatternOrThrow(`${minute} ${hour} * * *`), minMs);
  if (typeof times === "string") return times;
  const overnightMs = dayMs - times.at(-1)! + times[0]!;
  if (overnightMs < minMs && hasConsecutiveDays(parseCronPatternOrThrow(`0 0 ${days.join(" ")}`)))
    return `${formatTime(times.at(-1)!)} and ${formatTime(times[0]!)} of the next day`;
  const smallestMs = Math.min(overnightMs, ...times.slice(1).map((time, index) => time - times[index]!));
  for (const { at, byMs } of clockChangesOf(rule.timezone)) {
    if (smallestMs - Math.abs(byMs) >= minMs) continue;
    const close = findClosePair(timesAfter(rule, new Date(at - minMs)), at + minMs, minMs);
    if (close !== null)
      return `${close.map((each) => formatLocalTime(each, rule.timezone)).join(" and ")}, when the clocks of ${rule.timezone} are changed`;
  }
  return null;
}

function listTimesOrClosePair(pattern: CronPattern, minMs: number): readonly number[] | string {
  const [start] = calendarCycle;
  const times: number[] = [];
  for (let next = pattern.next(start - 1); next !== null && next < start + dayMs; next = pattern.next(next)) {
    const last = times.at(-1);
    if (last !== undefined && next - start - last < minMs) return `${formatTime(last)} and ${formatTime(next - start)}`;
    times.push(next - start);
  }
  return times;
}

function hasConsecutiveDays(pattern: CronPattern): boolean {
  const [start, end] = calendarCycle;
  let last = -Infinity;
  for (let next = pattern.next(start - 1); next !== null && next < end; next = pattern.next(next)) {
    if (next - last === dayMs) return true;
    last = next;
  }
  return false;
}

function findClosePair(runs: Iterable<Date>, endMs: number, minMs: number): readonly [number, number] | null {
  let last = -Infinity;
  for (const run of runs) {
    const at = run.getTime();
    if (at - last < minMs) return [last, at];
    if (at >= endMs) return null;
    last = at;
  }
  return null;
}

interface ClockChange {
  readonly at: number;
  /** Milliseconds by which the clocks jump ahead. Negative if they are set back. */
  readonly byMs: number;
}

const clockChangesByZone = new Map<string, readonly ClockChange[]>();
const maxCachedZones = 700;

function clockChangesOf(timezone: string): readonly ClockChange[] {
  const known = clockChangesByZone.get(timezone);
  if (known !== undefined) return known;
  const offsetAt = (at: number): number => toLocalTimeMs(at, timezone) - at;
  const found: ClockChange[] = [];
  const [start, end] = zoneYears;
  for (let [from, before] = [start, offsetAt(start)]; from < end; from += clockChangeStepMs) {
    const after = offsetAt(from + clockChangeStepMs);
    if (after !== before) {
      const minutes = bisect(0, clockChangeStepMs / minuteMs, (at) => offsetAt(from + at * minuteMs) === before);
      found.push({ at: from + minutes * minuteMs, byMs: after - before });
    }
    before = after;
  }
  if (clockChangesByZone.size >= maxCachedZones) clockChangesByZone.clear();
  clockChangesByZone.set(timezone, found);
  return found;
}

function formatTime(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 16);
}

function formatLocalTime(at: number, timezone: string): string {
  return new Date(toLocalTimeMs(at, timezone)).toISOString().slice(0, 16).replace("T", " ");
}
