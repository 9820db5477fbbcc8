const wholeFormat = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });
const tenthsFormat = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 1 });

/** Formats a number with commas: 1,234,567. */
export function formatCount(count: number): string {
  return wholeFormat.format(count);
}

/** Formats a size in the largest decimal unit (SI) that is not larger than the size: 12.3 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${wholeFormat.format(bytes)} B`;
  const units = ["kB", "MB", "GB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${tenthsFormat.format(value)} ${units[unit]}`;
}

/** Formats a duration in its two largest units: 45 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
