const dayMs = 86_400_000;
/** The first and the last millisecond of the years 1000 to 9999, the times that the API accepts. */
const firstMs = -30_610_224_000_000;
const lastMs = 253_402_300_799_999;

/** A day of the calendar without a zone, and a time of that day in minutes. */
export interface LocalDateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly minutes: number;
}

/** Returns the local time as milliseconds, as if its zone were UTC. Returns null for a day that does not exist. */
export function toWallClockMs({ year, month, day, minutes }: LocalDateTime): number | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1000 && year <= 9999 && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return exists && minutes < 24 * 60 ? at.getTime() + minutes * 60_000 : null;
}

/** Reports whether an RFC 3339 time is in the years 1000 to 9999, which the API accepts. */
export function hasAcceptedYear(time: string): boolean {
  const instant = Date.parse(time);
  return instant >= firstMs && instant <= lastMs;
}

/**
 * Writes a local time with the offset of the zone: `2026-01-31T00:00:00+01:00`. A time that occurs twice is the first of the two. The end of the
 * year 9999 is written in UTC, and is at most the last moment that the API accepts.
 */
export function formatWallClockMs(local: number, timezone: string): string {
  const before = offsetAt(local - dayMs, timezone);
  const after = offsetAt(local + dayMs, timezone);
  // No offset fits a local time that the clocks skip. With the offset before the change, it becomes a time after the skipped hour.
  const offset = [before, after].find((each) => offsetAt(local - each, timezone) === each) ?? before;
  if (local > lastMs) return new Date(Math.min(local - offset, lastMs)).toISOString();
  const hours = String(Math.floor(Math.abs(offset) / 3_600_000)).padStart(2, "0");
  const minutes = String(Math.floor((Math.abs(offset) % 3_600_000) / 60_000)).padStart(2, "0");
  const text = new Date(local).toISOString().slice(0, 19);
  return offset === 0 ? `${text}Z` : `${text}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
}

/** Writes the day of a local time: `2026-01-31`. A day after 9999-12-31 is written as `9999-12-31`. */
export function formatWallClockDay(local: number): string {
  return new Date(Math.min(local, lastMs)).toISOString().slice(0, 10);
}

/** Returns the local time of an instant as milliseconds, as if its zone were UTC. */
export function instantToWallClockMs(instant: number, timezone: string): number {
  return instant + offsetAt(instant, timezone);
}

function offsetAt(instant: number, timezone: string): number {
  const name = getZoneNameAt(instant, timezone, "longOffset");
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return sign === undefined ? 0 : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Returns the name of the zone at an instant, such as `CET` or `GMT+01:00`. Returns `UTC` if the zone is unknown. */
export function getZoneNameAt(instant: number, timeZone: string, timeZoneName: "short" | "longOffset"): string {
  try {
    const parts = new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName }).formatToParts(instant);
    return parts.find(({ type }) => type === "timeZoneName")?.value ?? "UTC";
  } catch {
    return "UTC";
  }
}
