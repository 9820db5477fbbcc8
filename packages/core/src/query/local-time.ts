/** A local date and time, as the milliseconds that `Date.UTC` returns for its digits. It is not an instant, because time zones differ. */
export type LocalMs = number;

const formatCache = new Map<string, Intl.DateTimeFormat>();
/** Largest number of cached formats. There are about 600 zone names, and a format takes about 10 KB. */
const maxCachedFormats = 128;
const hourMs = 3_600_000;
/** Largest offset of a local clock from UTC, and its largest change: Samoa skipped a day in 2011. */
const maxOffsetMs = 27 * hourMs;

/** Returns the local time in an IANA zone at an instant (milliseconds since 1970 in UTC). Throws RangeError for an unknown zone. */
export function localTimeAt(instantMs: number, timezone: string): LocalMs {
  if (timezone === "UTC") return instantMs;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  // Date.UTC would map the years 0 to 99 to 1900 to 1999.
  local.setUTCFullYear(year, month - 1, day);
  return local.getTime() + hour * hourMs + minute * 60_000 + second * 1000 + modulo(instantMs, 1000);
}

/** Returns the instant of a local time, in milliseconds since 1970: the first one if the clock repeats the time, the end of the gap if the clock skips it. Throws RangeError for an unknown zone. */
export function instantOfLocalTime(localMs: LocalMs, timezone: string): number {
  const before = offsetAt(localMs - maxOffsetMs, timezone);
  const after = offsetAt(localMs + maxOffsetMs, timezone);
  const candidates = [localMs - before, localMs - after].filter(
    (instantMs) => localTimeAt(instantMs, timezone) === localMs,
  );
  return candidates.length > 0 ? Math.min(...candidates) : endOfGap(localMs, timezone);
}

function endOfGap(localMs: LocalMs, timezone: string): number {
  let earlier = localMs - maxOffsetMs;
  let later = localMs + maxOffsetMs;
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (localTimeAt(middle, timezone) < localMs) earlier = middle;
    else later = middle;
  }
  return later;
}

function offsetAt(instantMs: number, timezone: string): number {
  return localTimeAt(instantMs, timezone) - instantMs;
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
