import type { ByteRange } from "@reports/core/base";

/** Throws RangeError unless `start` and `end` are whole numbers in order and, if the size is given, inside the file. */
export function assertByteRange(range: ByteRange, sizeBytes = Number.MAX_SAFE_INTEGER): void {
  const { start, end } = range;
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end && end < sizeBytes) return;
  throw new RangeError(`The byte range ${start}-${end} does not lie inside the file.`);
}
