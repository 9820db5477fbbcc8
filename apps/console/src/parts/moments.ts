const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const zoned = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" });
const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** A moment in words, in the viewer's zone. */
export function momentText(at: string): string {
  const zone = zoned.formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return `${absolute.format(new Date(at))} ${zone}`;
}

const wall = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** A moment as the clock shows it whose offset stands behind it: `7 Aug 2026, 14:08`. */
export function wallText(at: string): string {
  return wall.format(new Date(`${at.slice(0, 19)}Z`));
}

/** A day: `7 Aug 2026`. */
export function dateText(date: string): string {
  return day.format(new Date(`${date}T00:00:00Z`));
}

/** How long ago a moment was, or how far it is. */
export function relativeText(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step === undefined
    ? seconds > 0
      ? "in a moment"
      : "just now"
    : relative.format((seconds > 0 ? Math.round : Math.trunc)(seconds / step[1]), step[0]);
}

/** A length of time in words: `840 ms`, `12.4 s`, `3 min 20 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
