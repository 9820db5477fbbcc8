const relativeFormat = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const relativeUnits: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** The browser's time zone, or UTC if it is unknown. Chromium returns `Etc/Unknown` for an unknown zone and then rejects that name in Intl. */
export const browserTimeZone = toSupportedTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone);

export function toSupportedTimeZone(zone = "UTC"): string {
  try {
    formatIn(zone, {});
    return zone;
  } catch {
    return "UTC";
  }
}

/** Returns a formatter for times in a zone that this browser knows. The formatter returns an invalid time unchanged. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): (at: string, given?: string) => string {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  return (at, given = at) => (Number.isNaN(Date.parse(at)) ? given : format.format(new Date(at)));
}

const formatAbsolute = formatIn(browserTimeZone, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const formatWallClock = formatIn("UTC", { dateStyle: "medium", timeStyle: "short" });
const day = formatIn("UTC", { dateStyle: "medium" });

export function formatTime(at: string): string {
  return formatAbsolute(at);
}

export function formatTimeZone(zone: string): string {
  return zone.replaceAll("_", " ");
}

/** Formats a time without a year in a zone that this browser knows: `Fri 7 Aug, 14:08`. */
export function formatTimeWithoutYear(at: string, zone: string): string {
  return formatIn(zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })(at);
}

/** Formats a time as the wall clock of its own UTC offset shows it: `7 Aug 2026, 14:08`. */
export function formatTimeInOwnOffset(at: string): string {
  return formatWallClock(`${at.slice(0, 19)}Z`, at);
}

export function formatDateTimeInput(at: string): string {
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function formatDate(date: string): string {
  return day(`${date}T00:00:00Z`, date);
}

export function formatRelativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return at;
  const step = relativeUnits.find(([, length]) => Math.abs(seconds) >= length);
  return step === undefined
    ? seconds > 0
      ? "in a moment"
      : "just now"
    : relativeFormat.format(Math.trunc(seconds / step[1]), step[0]);
}

/** Says when a certificate expires. Counts like the column `daysLeft` of reports: whole days, rounded down, so an hour ago is -1. */
export function formatExpiry(at: string, now: number): string {
  const days = Math.floor((Date.parse(at) - now) / 86_400_000);
  if (Number.isNaN(days)) return at;
  if (days === -1) return "Expired within a day";
  if (days === 0) return "Expires within a day";
  return `${days < 0 ? "Expired" : "Expires"} ${relativeFormat.format(days, "day")}`;
}

export function formatTimeOmittingToday(at: string, now: number): string {
  const whole = formatTimeWithoutYear(at, browserTimeZone);
  const [day, time] = whole.split(/, (?=\d\d:\d\d$)/);
  return time !== undefined &&
    day === formatTimeWithoutYear(new Date(now).toISOString(), browserTimeZone).split(/, (?=\d\d:)/)[0]
    ? time
    : whole;
}

export function formatRemainingTime(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

const durationUnits: readonly [seconds: number, symbol: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/**
 * Formats seconds as report files do, without leading zero units: `1 d 2 h 03 min 04 s`. By default, a duration of a minute or more is rounded to
 * seconds.
 */
export function formatDuration(seconds: number, digits = seconds < 60 ? 1 : 0): string {
  let rest = Number(Math.abs(seconds).toFixed(digits));
  let text = seconds < 0 && rest > 0 ? "-" : "";
  let isLarger = true;
  for (const [size, symbol] of durationUnits) {
    const count = size > 1 ? Math.floor(rest / size) : Number(rest.toFixed(digits));
    if (isLarger ? count > 0 || size === 1 : rest > 0) {
      text += `${isLarger ? "" : count < 10 && size < 3_600 ? "\u00a00" : "\u00a0"}${count}\u00a0${symbol}`;
      isLarger = false;
    }
    rest %= size;
  }
  return text;
}
