import { localTimeAt } from "./local-time.ts";

const dayS = 86_400;
/** 137 years in a row, about 2 MB: most days share one object. */
const maxDays = 50_000;
const maxZones = 16;

/** One day of UTC in a zone. */
interface ZoneDay {
  /** The second of the day at which the clocks change; after the day where they do not. */
  readonly changesAt: number;
  readonly before: number;
  readonly after: number;
}

/**
 * Says how many seconds the clocks of a zone are ahead of UTC, by days since 1970 and the second of the day, both in UTC and integers. NaN
 * outside of the years 1 to 9999.
 */
export type ZoneOffsets = (day: number, secondOfDay: number) => number;

const zones = new Map<string, ZoneOffsets>();

/** Returns the offsets of an IANA zone. It remembers days for the next report too, because Intl takes microseconds for each instant. */
export function zoneOffsets(timezone: string): ZoneOffsets {
  let known = zones.get(timezone);
  if (known !== undefined) return known;
  if (zones.size >= maxZones) zones.clear();
  known = timezone === "UTC" ? () => 0 : createZoneOffsets(timezone);
  zones.set(timezone, known);
  return known;
}

function createZoneOffsets(timezone: string): ZoneOffsets {
  const days = new Map<number, ZoneDay>();
  /** Days without a change, by their offset. */
  const steady = new Map<number, ZoneDay>();
  const shared = (day: ZoneDay): ZoneDay => {
    if (day.changesAt < dayS) return day;
    const known = steady.get(day.before) ?? day;
    steady.set(day.before, known);
    return known;
  };
  return (day, secondOfDay) => {
    let known = days.get(day);
    if (known === undefined) {
      if (days.size >= maxDays) days.clear();
      known = shared(readDay(day * dayS, timezone));
      days.set(day, known);
    }
    return secondOfDay < known.changesAt ? known.before : known.after;
  };
}

/** Asks Intl about both ends of a day, and for the second between them at which the clocks change. */
function readDay(firstS: number, timezone: string): ZoneDay {
  const offsetAt = (secondOfDay: number): number => {
    const instantS = firstS + secondOfDay;
    const offsetS = localTimeAt(instantS * 1000, timezone) / 1000 - instantS;
    // No clock is a day away from UTC: Intl counts the years before 1 backwards.
    return Math.abs(offsetS) >= dayS ? Number.NaN : Math.round(offsetS);
  };
  let [earlier, later] = [0, dayS - 1];
  const [before, after] = [offsetAt(earlier), offsetAt(later)];
  if (Object.is(before, after)) return { changesAt: dayS, before, after };
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (Object.is(offsetAt(middle), before)) earlier = middle;
    else later = middle;
  }
  return { changesAt: later, before, after };
}
