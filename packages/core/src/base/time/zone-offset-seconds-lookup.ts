import { bisect, toLocalTimeMs } from "./local-time.ts";

const secondsPerDay = 86_400;
/** Number of days per zone whose offsets are cached. This is 137 years and takes about 2 MB, because most days share one object. */
const maxCachedDays = 50_000;
const maxCachedZones = 16;

interface ZoneDay {
  /** Second of the UTC day at which the offset changes; 86,400 if the offset does not change on this day. */
  readonly changesAt: number;
  readonly before: number;
  readonly after: number;
}

/** Returns the offset of a time zone from UTC in seconds. `day` counts UTC days since 1970. Returns NaN before the year 1, except in UTC. */
export type ZoneOffsetSecondsLookup = (day: number, secondOfDay: number) => number;

const zoneCache = new Map<string, ZoneOffsetSecondsLookup>();

/** Returns the offsets of an IANA zone. The process caches them, because Intl takes microseconds per call and a report can have millions of times. */
export function getZoneOffsetSecondsLookup(timezone: string): ZoneOffsetSecondsLookup {
  let known = zoneCache.get(timezone);
  if (known !== undefined) return known;
  if (zoneCache.size >= maxCachedZones) zoneCache.clear();
  known = timezone === "UTC" ? () => 0 : createZoneOffsets(timezone);
  zoneCache.set(timezone, known);
  return known;
}

function createZoneOffsets(timezone: string): ZoneOffsetSecondsLookup {
  const days = new Map<number, ZoneDay>();
  /** Days on which the offset does not change, by offset. All days with the same offset share one object. */
  const steady = new Map<number, ZoneDay>();
  const shared = (day: ZoneDay): ZoneDay => {
    if (day.changesAt < secondsPerDay) return day;
    const known = steady.get(day.before) ?? day;
    steady.set(day.before, known);
    return known;
  };
  return (day, secondOfDay) => {
    let known = days.get(day);
    if (known === undefined) {
      if (days.size >= maxCachedDays) days.clear();
      known = shared(readZoneDay(day * secondsPerDay, timezone));
      days.set(day, known);
    }
    return secondOfDay < known.changesAt ? known.before : known.after;
  };
}

function readZoneDay(firstS: number, timezone: string): ZoneDay {
  const offsetAt = (secondOfDay: number): number => {
    const instantS = firstS + secondOfDay;
    const offsetS = toLocalTimeMs(instantS * 1000, timezone) / 1000 - instantS;
    // Real offsets are below one day. A larger difference comes from a year before 1, because Intl counts these years backwards.
    return Math.abs(offsetS) >= secondsPerDay ? Number.NaN : Math.round(offsetS);
  };
  const lastSecond = secondsPerDay - 1;
  const [before, after] = [offsetAt(0), offsetAt(lastSecond)];
  if (Object.is(before, after)) return { changesAt: secondsPerDay, before, after };
  return { changesAt: bisect(0, lastSecond, (at) => Object.is(offsetAt(at), before)), before, after };
}
