import { getZoneOffsetSecondsLookup, type ZoneOffsetSecondsLookup } from "./zone-offset-seconds-lookup.ts";

export type TimestampConverter = (wireText: string) => string;

const secondsPerDay = 86_400;
const wireTimestampPattern = /^(\d{4,5})-(\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/;

/** Returns a function that converts wire timestamps to an IANA zone: `2026-11-21 00:02:03.5+00` becomes `2026-11-21 01:02:03.5+01`. Instants outside the years 1 to 9999 stay in UTC; infinity is unchanged. */
export function createTimestampConverter(timezone: string): TimestampConverter {
  const offsetAt = getZoneOffsetSecondsLookup(timezone);
  const isUtc = timezone === "UTC";
  return (wireText) => {
    // Sources send UTC, so a report in UTC, the default, converts nothing.
    if (isUtc && wireText.endsWith("+00")) return wireText;
    const parts = wireTimestampPattern.exec(wireText);
    if (parts === null) return wireText;
    const [, year = "", day, time, fraction = "", sign, hours, minutes = "0", seconds = "0"] = parts;
    const shownS = Date.parse(`${year.length > 4 ? `+0${year}` : year}-${day}T${time}Z`) / 1000;
    const aheadS = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    const instantS = shownS - (sign === "-" ? -aheadS : aheadS);
    if (Number.isNaN(instantS)) return wireText;
    return (
      writeLocalTimestamp(instantS, offsetAtSecond(offsetAt, instantS), fraction) ??
      writeLocalTimestamp(instantS, 0, fraction) ??
      wireText
    );
  };
}

/** Returns the day of an instant in a time zone, such as `2026-11-21`. Throws RangeError before the year 1. */
export function toLocalDay(instant: Date, timezone: string): string {
  const shownMs =
    instant.getTime() +
    offsetAtSecond(getZoneOffsetSecondsLookup(timezone), Math.floor(instant.getTime() / 1000)) * 1000;
  return new Date(shownMs).toISOString().replace(/^\+0/, "").replace(/T.*/, "");
}

/** Returns an instant in wire form, in UTC. Throws RangeError outside the years 1 to 9999. */
export function toWireTimestamp(instant: Date): string {
  const digits = String(instant.getUTCMilliseconds())
    .padStart(3, "0")
    .replace(/0{1,3}$/, "");
  const fraction = digits === "" ? "" : `.${digits}`;
  const text = writeLocalTimestamp(Math.floor(instant.getTime() / 1000), 0, fraction);
  if (text === null) throw new RangeError("The time lies outside of the years 1 to 9999.");
  return text;
}

export function formatUtcOffset(offsetS: number): string {
  const size = Math.abs(offsetS);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return `${offsetS < 0 ? "-" : "+"}${parts.map((part) => String(part).padStart(2, "0")).join(":")}`;
}

function writeLocalTimestamp(instantS: number, offsetS: number, fraction: string): string | null {
  const shown = new Date((instantS + offsetS) * 1000);
  const year = shown.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) return null;
  const text = shown.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 19)}${fraction}${formatUtcOffset(offsetS)}`;
}

function offsetAtSecond(offsetAt: ZoneOffsetSecondsLookup, instantS: number): number {
  const day = Math.floor(instantS / secondsPerDay);
  return offsetAt(day, instantS - day * secondsPerDay);
}
