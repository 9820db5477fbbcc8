type NumberFormats = Readonly<Record<"whole" | "tenths", Intl.NumberFormat>>;

let numberFormats: NumberFormats | undefined;

/** Makes the formats at their first use, because they take a sixth of the start of a command, and most commands print no amounts. */
function getNumberFormats(): NumberFormats {
  return (numberFormats ??= {
    whole: new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 }),
    tenths: new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 }),
  });
}

const ageUnits = [
  [365 * 86_400, "years"],
  [86_400, "days"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
] as const;

export function formatCount(count: number): string {
  return getNumberFormats().whole.format(count);
}

/** Formats a number of rows: `1 row`, `12,000 rows`. */
export function formatRowCount(count: number): string {
  return `${formatCount(count)} ${count === 1 ? "row" : "rows"}`;
}

/** Formats the rows that are done: `1 row`, or `1 of 12,000 rows` with a total. */
export function formatRowsDone(done: number, total: number | null): string {
  return total === null ? formatRowCount(done) : `${formatCount(done)} of ${formatRowCount(total)}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${formatCount(bytes)} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${getNumberFormats().tenths.format(value)} ${units[unit]}`;
}

/** Formats a duration in its two largest units: 45 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a time relative to now in its largest unit: `2 h ago`, `in 3 days`. Returns null for NaN. */
export function formatTimeFromNow(ms: number): string | null {
  if (Number.isNaN(ms)) return null;
  const seconds = Math.floor(Math.abs(ms) / 1000);
  if (seconds < 5) return "now";
  const [size, unit] = ageUnits.find(([least]) => seconds >= least) ?? [1, "s"];
  const count = Math.floor(seconds / size);
  const amount = `${count} ${count === 1 ? unit.replace(/s$/, "") || unit : unit}`;
  return ms < 0 ? `${amount} ago` : `in ${amount}`;
}
