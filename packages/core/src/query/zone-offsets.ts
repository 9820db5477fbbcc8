import { localTimeAt } from "./local-time.ts";

const dayS = 86_400;
/** 137 consecutive years, about 2 MB: most days share one object. */
const maxDays = 50_000;
const maxZones = 16;

interface ZoneDay {
  /** Second of the day at which the clocks change; beyond the day if they do not. */
  readonly changesAt: number;
  readonly before: number;
  readonly after: number;
}

/** Returns a zone's offset in seconds, by day since 1970 and second of the day, both UTC integers. NaN outside the years 1 to 9999. */
export type ZoneOffsets = (day: number, secondOfDay: number) => number;

const zones = new Map<string, ZoneOffsets>();

/** Returns the offsets of an IANA zone. Caches days across reports, because Intl takes microseconds per instant. */
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
  /** Days without a change, by offset. */
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

/** Asks Intl for both ends of a day, and searches the second at which the clocks change. */
function readDay(firstS: number, timezone: string): ZoneDay {
  const offsetAt = (secondOfDay: number): number => {
    const instantS = firstS + secondOfDay;
    const offsetS = localTimeAt(instantS * 1000, timezone) / 1000 - instantS;
    // No clock is a day away from UTC: Intl counts years before 1 backwards.
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
