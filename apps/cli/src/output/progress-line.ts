import { cutToWidth, displayWidth } from "./display-width.ts";
import { formatBytes, formatCount, formatDuration } from "./format-amount.ts";
import { safeText } from "./safe-text.ts";

/** How far some work is. */
export interface Moment {
  /** What is being done: a phase of a report as the service calls it, or `downloading`. */
  readonly phase: string;
  readonly unit: "rows" | "bytes";
  readonly done: number;
  /** Null while it is not known. */
  readonly total: number | null;
  /** From 0 to 100; null while it is not known. */
  readonly percent: number | null;
  /** Of the unit; null while it is not known. */
  readonly perSecond: number | null;
}

const barCells = 24;

/** One line that says how far it is: a bar, percent, phase, amount, rate, time left. Parts at its end are left out where it is too long. */
export function progressLine(moment: Moment, width: number): string {
  const parts = [bar(moment.percent), safeText(moment.phase), amount(moment), rate(moment), timeLeft(moment)];
  const shown = parts.filter((part) => part !== null);
  while (shown.length > 2 && displayWidth(shown.join("  ")) > width) shown.pop();
  return cutToWidth(shown.join("  "), width);
}

function bar(percent: number | null): string {
  const full = Math.round((Math.min(100, Math.max(0, percent ?? 0)) / 100) * barCells);
  const share = percent === null ? "   ?" : `${Math.floor(percent)}`.padStart(4);
  return `[${"#".repeat(full)}${".".repeat(barCells - full)}]${share} %`;
}

function amount({ unit, done, total }: Moment): string | null {
  if (done === 0 && total === null) return null;
  const text = (value: number) => (unit === "rows" ? formatCount(value) : formatBytes(value));
  const all = total === null ? text(done) : `${text(done)} of ${text(total)}`;
  return unit === "rows" ? `${all} rows` : all;
}

function rate({ unit, perSecond }: Moment): string | null {
  if (perSecond === null) return null;
  return unit === "rows" ? `${formatCount(perSecond)} rows/s` : `${formatBytes(perSecond)}/s`;
}

function timeLeft({ done, total, perSecond }: Moment): string | null {
  if (perSecond === null || total === null || done >= total) return null;
  return `${formatDuration(((total - done) / perSecond) * 1000)} left`;
}
