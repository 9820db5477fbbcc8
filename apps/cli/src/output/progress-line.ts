import { truncateToWidth, measureWidthCells } from "./measure-width-cells.ts";
import { formatBytes, formatCount, formatDuration, formatRowsDone } from "./format-amount.ts";
import { toSafeText } from "./to-safe-text.ts";

export interface ProgressSnapshot {
  readonly phase: string;
  readonly unit: "rows" | "bytes";
  readonly done: number;
  readonly total: number | null;
  readonly percent: number | null;
  readonly perSecond: number | null;
}

const barCells = 24;

/** Returns a line with a bar, percent, phase, amount, rate and remaining time. Omits parts from the right if the line is too long. */
export function formatProgressLine(snapshot: ProgressSnapshot, width: number): string {
  const parts = [
    bar(snapshot.percent),
    toSafeText(snapshot.phase),
    amount(snapshot),
    rate(snapshot),
    timeLeft(snapshot),
  ];
  const shown = parts.filter((part) => part !== null);
  while (shown.length > 2 && measureWidthCells(shown.join("  ")) > width) shown.pop();
  return truncateToWidth(shown.join("  "), width);
}

function bar(percent: number | null): string {
  const full = Math.round((Math.min(100, Math.max(0, percent ?? 0)) / 100) * barCells);
  const share = percent === null ? "   ?" : `${Math.floor(percent)}`.padStart(4);
  return `[${"#".repeat(full)}${".".repeat(barCells - full)}]${share} %`;
}

function amount({ unit, done, total }: ProgressSnapshot): string | null {
  if (done === 0 && total === null) return null;
  if (unit === "bytes") return total === null ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`;
  return formatRowsDone(done, total);
}

function rate({ unit, perSecond }: ProgressSnapshot): string | null {
  if (perSecond === null) return null;
  return unit === "rows" ? `${formatCount(perSecond)} rows/s` : `${formatBytes(perSecond)}/s`;
}

function timeLeft({ done, total, perSecond }: ProgressSnapshot): string | null {
  if (perSecond === null || total === null || done >= total) return null;
  return `${formatDuration(((total - done) / perSecond) * 1000)} left`;
}
