import type { ByteRange } from "@reports/core/base";

/** Rejects a range that is not whole numbers in order, and, where the size is known, inside the file. Throws RangeError. */
export function assertRange(range: ByteRange, sizeBytes = Number.MAX_SAFE_INTEGER): void {
  const { start, end } = range;
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end < sizeBytes) return;
  throw new RangeError(`The byte range ${start}-${end} does not lie inside the file.`);
}
