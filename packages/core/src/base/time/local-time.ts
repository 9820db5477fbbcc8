/** Date and time that a clock shows in some time zone, encoded as `Date.UTC` of its digits. Without the zone, it does not name an instant. */
export type LocalTimeMs = number;

const formatCache = new Map<string, Intl.DateTimeFormat>();
/** There are about 600 zone names, and one cached format takes about 10 KB of memory. */
const maxCachedFormats = 128;
const hourMs = 3_600_000;
/** Above the largest offset of a local clock from UTC (14 hours) and its largest change (24 hours: Samoa skipped a day in 2011). */
const maxOffsetMs = 27 * hourMs;

/** Returns the local time in an IANA zone at an instant (milliseconds since 1970 in UTC). Throws RangeError for an unknown zone. */
export function toLocalTimeMs(instantMs: number, timezone: string): LocalTimeMs {
  if (timezone === "UTC") return instantMs;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  local.setUTCFullYear(year, month - 1, day);
  return local.getTime() + hour * hourMs + minute * 60_000 + second * 1000 + modulo(instantMs, 1000);
}

/**
 * Returns the instant of a local time, in milliseconds since 1970. If the clock shows the time twice, returns the first instant. If the clock skips
 * it, returns the end of the gap. Throws RangeError for an unknown zone.
 */
export function toInstantMs(localMs: LocalTimeMs, timezone: string): number {
  const before = offsetAt(localMs - maxOffsetMs, timezone);
  const after = offsetAt(localMs + maxOffsetMs, timezone);
  const candidates = [localMs - before, localMs - after].filter(
    (instantMs) => toLocalTimeMs(instantMs, timezone) === localMs,
  );
  if (candidates.length > 0) return Math.min(...candidates);
  return bisect(localMs - maxOffsetMs, localMs + maxOffsetMs, (at) => toLocalTimeMs(at, timezone) < localMs);
}

/** Returns the first integer after `low` for which `isEarlier` is false. It must be true for `low`, and false for `high`. */
export function bisect(low: number, high: number, isEarlier: (at: number) => boolean): number {
  let [earlier, later] = [low, high];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (isEarlier(middle)) earlier = middle;
    else later = middle;
  }
  return later;
}

function offsetAt(instantMs: number, timezone: string): number {
  return toLocalTimeMs(instantMs, timezone) - instantMs;
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formatCache.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-u-ca-iso8601-nu-latn-hc-h23", {
    timeZone: timezone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formatCache.size >= maxCachedFormats) formatCache.clear();
  formatCache.set(timezone, format);
  return format;
}

function modulo(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}
