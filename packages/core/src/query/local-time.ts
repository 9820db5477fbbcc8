/** Local time in milliseconds, as `Date.UTC` returns for its digits. Not an instant: places differ. */
export type LocalMs = number;

const formats = new Map<string, Intl.DateTimeFormat>();
/** There are about 600 zone names, at about 10 KB each. */
const maxFormats = 128;
const hourMs = 3_600_000;
/** Clocks are at most this far from UTC, and change by at most this much (Samoa skipped a day in 2011). */
const reachMs = 27 * hourMs;

/** Returns the local time in an IANA zone at an instant (milliseconds since 1970 in UTC). Throws RangeError for an unknown zone. */
export function localTimeAt(instantMs: number, timezone: string): LocalMs {
  if (timezone === "UTC") return instantMs;
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(instantMs)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  // Date.UTC maps the years 0 to 99 to the last century.
  local.setUTCFullYear(year, month - 1, day);
  return local.getTime() + hour * hourMs + minute * 60_000 + second * 1000 + modulo(instantMs, 1000);
}

/** Returns the first instant of a repeated local time, and the first after a gap. Throws RangeError for an unknown zone. */
export function instantOfLocal(localMs: LocalMs, timezone: string): number {
  const before = offsetAt(localMs - reachMs, timezone);
  const after = offsetAt(localMs + reachMs, timezone);
  const candidates = [localMs - before, localMs - after].filter(
    (instantMs) => localTimeAt(instantMs, timezone) === localMs,
  );
  return candidates.length > 0 ? Math.min(...candidates) : endOfGap(localMs, timezone);
}

function endOfGap(localMs: LocalMs, timezone: string): number {
  let earlier = localMs - reachMs;
  let later = localMs + reachMs;
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
  const known = formats.get(timezone);
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
  if (formats.size >= maxFormats) formats.clear();
  formats.set(timezone, format);
  return format;
}

function modulo(dividend: number, divisor: number): number {
  return ((dividend % divisor) + divisor) % divisor;
}
