import type { AlignedBytes } from "../../wire/byte-buffer.ts";

const hyphen = 0x2d;
const point = 0x2e;

/** Returns the start of a cell with an amount of bytes. The number of its digits selects the unit: B, kB, MB and so on. */
export function selectByteSizeCellStart(
  starts: readonly AlignedBytes[],
  bytes: Uint8Array,
  start: number,
  end: number,
): AlignedBytes {
  let whole = start;
  while (whole < end && bytes[whole] !== point) whole++;
  const digits = bytes[start] === hyphen ? whole - start - 1 : whole - start;
  return starts[Math.min(Math.ceil(digits / 3), starts.length) - 1] as AlignedBytes;
}
