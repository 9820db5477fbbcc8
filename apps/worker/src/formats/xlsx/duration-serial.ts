import { Buffer } from "node:buffer";
import type { ByteBuffer } from "../../wire/byte-buffer.ts";

export const secondsPerDay = 86_400;
/** Number of days from which Excel shows no time, because they end after 9999-12-31. */
const tooManyDays = 2_958_466;

/** Converts seconds to days, in which spreadsheets store durations. Returns null for a number that they cannot show as a duration. */
export function secondsToDays(seconds: number): number | null {
  const days = seconds / secondsPerDay;
  return Math.abs(days) < tooManyDays ? days : null;
}

/** Appends seconds as days, as exactly as a double can. Returns false and appends nothing for `NaN`, infinity and durations beyond Excel's. */
export function appendDurationSerial(out: ByteBuffer, bytes: Uint8Array, start: number, end: number): boolean {
  const days = secondsToDays(Number(Buffer.from(bytes.subarray(start, end)).toString("latin1")));
  if (days !== null) out.append(Buffer.from(String(days), "latin1"));
  return days !== null;
}
