const sizeUnits = ["bytes", "KiB", "MiB", "GiB"] as const;
/** Made at its first use, because the first use of `Intl` is a noticeable part of the start of a process. */
let tenthsFormat: Intl.NumberFormat | undefined;

/** Writes a size in the largest binary unit that gives a short whole number (`64 KiB`, `1,500 MiB`), else rounded down to tenths (`1.4 MiB`). */
export function formatBinarySize(bytes: number): string {
  const isShort = (value: number): boolean => Number.isInteger(value) && value < 10_000;
  const whole = sizeUnits.findLastIndex((_, unit) => isShort(bytes / 1024 ** unit));
  const unit = whole >= 0 ? whole : Math.min(sizeUnits.length - 1, Math.floor(Math.log2(bytes) / 10));
  tenthsFormat ??= new Intl.NumberFormat("en", { maximumFractionDigits: 1, roundingMode: "floor" });
  return `${tenthsFormat.format(bytes / 1024 ** unit)} ${sizeUnits[unit]}`;
}
