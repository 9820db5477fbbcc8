import { createTimestampConverter, toWireTimestamp } from "@reports/core/base";
import { maxCachedLocales, memoize } from "../memoize.ts";

const dayMs = 86_400_000;
const setBackMinutes = [20, 30, 60, 120];
const localPattern = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d)\S*?([+-])(\d\d)(?::(\d\d))?(?::\d\d)?$/;

/**
 * Returns a function that reports whether a local time of the time zone, with its offset (`2026-10-25 02:30:00+02`), occurs twice, because clocks
 * were set back. The function knows the days of earlier documents.
 */
export const getAmbiguousTimeChecker = memoize(createAmbiguousTimeChecker, maxCachedLocales);

function createAmbiguousTimeChecker(timezone: string): (local: string) => boolean {
  const localOf = createTimestampConverter(timezone);
  const offsetOf = (at: number): string => /[+-][\d:]+$/.exec(localOf(toWireTimestamp(new Date(at))))?.[0] ?? "";
  const mayRepeat = memoize((day) => {
    const at = Date.parse(day);
    const year = new Date(at).getUTCFullYear();
    return year > 1 && year < 9999 && offsetOf(at - dayMs) !== offsetOf(at + 2 * dayMs);
  });
  const repeats = memoize((minute) => {
    const [, day, time, sign, hours = "", minutes = "0"] = localPattern.exec(minute)!;
    const own = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
    return setBackMinutes
      .flatMap((by) => [own + by, own - by])
      .some((other) => localOf(`${day} ${time}:00${writeMinutes(other)}`).startsWith(`${day} ${time}`));
  });
  return (local) => {
    if (!mayRepeat(local.slice(0, 10))) return false;
    const [, day, time, sign, hours, minutes] = localPattern.exec(local) ?? [];
    return day !== undefined && repeats(`${day} ${time}${sign}${hours}${minutes === undefined ? "" : `:${minutes}`}`);
  };
}

function writeMinutes(offset: number): string {
  const size = Math.abs(offset);
  const part = (value: number): string => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}
