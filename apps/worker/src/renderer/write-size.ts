const units = ["bytes", "KiB", "MiB", "GiB"] as const;
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1, roundingMode: "floor" });

/** Writes a size in bytes in the largest binary unit with a short whole number (`64 KiB`, `1,500 MiB`), else rounded down to tenths (`1.4 MiB`). */
export function writeSize(bytes: number): string {
  const isShort = (value: number): boolean => Number.isInteger(value) && value < 10_000;
  const whole = units.findLastIndex((_, unit) => isShort(bytes / 1024 ** unit));
  const unit = whole >= 0 ? whole : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${tenths.format(bytes / 1024 ** unit)} ${units[unit]}`;
}
