const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** UTC if the browser does not know the zone: Chromium then names `Etc/Unknown`, which it refuses itself. */
export const viewerZone = knownZone(Intl.DateTimeFormat().resolvedOptions().timeZone);

/** Returns the zone if this browser can show times in it, and UTC if not. */
export function knownZone(zone = "UTC"): string {
  try {
    formatIn(zone, {});
    return zone;
  } catch {
    return "UTC";
  }
}

/** Formats times in a zone that this browser knows. Shows other texts unchanged. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): (at: string, given?: string) => string {
  const format = new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  return (at, given = at) => (Number.isNaN(Date.parse(at)) ? given : format.format(new Date(at)));
}

const absolute = formatIn(viewerZone, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
const wall = formatIn("UTC", { dateStyle: "medium", timeStyle: "short" });
const day = formatIn("UTC", { dateStyle: "medium" });

/** In the viewer's zone. */
export function timeText(at: string): string {
  return absolute(at);
}

/** In a zone that this browser knows: `Fri 7 Aug, 14:08`. */
export function shortTimeText(at: string, zone: string): string {
  return formatIn(zone, { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" })(at);
}

/** In the offset of the time: `7 Aug 2026, 14:08`. */
export function wallClockText(at: string): string {
  return wall(`${at.slice(0, 19)}Z`, at);
}

/** Such as `7 Aug 2026`. */
export function dateText(date: string): string {
  return day(`${date}T00:00:00Z`, date);
}

/** In whole units that have passed or remain. */
export function relativeText(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return at;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step === undefined
    ? seconds > 0
      ? "in a moment"
      : "just now"
    : relative.format(Math.trunc(seconds / step[1]), step[0]);
}

/** Rounded down: `840 ms`, `12.4 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.floor(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
