import type { PaddedWords } from "../../wire/byte-buffer.ts";

const hyphen = 0x2d;

/** Returns the XML that starts a cell of bytes, by the number of digits before the decimal point. A mean can have decimals. */
export function selectBytesCellStart(
  starts: readonly PaddedWords[],
  bytes: Uint8Array,
  start: number,
  end: number,
): PaddedWords {
  const point = bytes.subarray(start, end).indexOf(0x2e);
  const whole = point < 0 ? end : start + point;
  const digits = bytes[start] === hyphen ? whole - start - 1 : whole - start;
  return starts[Math.min(Math.ceil(digits / 3), starts.length) - 1] as PaddedWords;
}
