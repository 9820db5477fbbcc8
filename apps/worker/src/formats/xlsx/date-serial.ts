import { Buffer } from "node:buffer";
import type { ByteBuffer } from "../../wire/byte-buffer.ts";
import { daysSinceEpoch } from "../../wire/local-times.ts";

/** Serial number of 1900-03-01, the first day that Excel counts correctly, because Excel treats 1900 as a leap year. */
const minSerial = 61;
const unixEpochSerial = 25_569;
/** Decimals of a serial number. They are far more precise than the millisecond to which readers round. */
const decimalCount = 11;
const millisecondsPerDay = 86_400_000;
const decimalsPerMillisecond = 10 ** decimalCount / millisecondsPerDay;
const lastHalfSecond = 86_399_500;
const lastSecond = 86_399_000;
const hoursPerDay = 24;
const maxSerialBytes = 24;
const zero = 0x30;
const hyphen = 0x2d;
const point = 0x2e;
const letterC = 0x43;

/**
 * Appends Excel's serial number of a date or of a timestamp's local time: days since 1899-12-30, with the time as a fraction. Times are rounded down
 * to milliseconds. In the last half second of a day they are rounded down to the second, because programs would round up to the next day. Returns
 * false, and appends nothing, for infinity and for days before 1900-03-01 or after 9999-12-31.
 */
export function appendDateSerial(out: ByteBuffer, bytes: Uint8Array, start: number, end: number): boolean {
  const isDay =
    end - start >= 10 && bytes[start + 4] === hyphen && bytes[start + 7] === hyphen && bytes[end - 1] !== letterC;
  if (!isDay) return false;
  const year = readTwoDigits(bytes, start) * 100 + readTwoDigits(bytes, start + 2);
  const days = daysSinceEpoch(year, readTwoDigits(bytes, start + 5), readTwoDigits(bytes, start + 8)) + unixEpochSerial;
  if (!(days >= minSerial)) return false;
  out.reserve(maxSerialBytes);
  appendDigits(
    out,
    days,
    days < 100 ? 2 : days < 1000 ? 3 : days < 10_000 ? 4 : days < 100_000 ? 5 : days < 1_000_000 ? 6 : 7,
  );
  if (end - start > 10) appendDayFraction(out, bytes, start + 11);
  return true;
}

/**
 * Appends the fraction of a day of a time `hh:mm:ss[.ffffff]`, rounded down like timestamps. `24:00:00` is one day. Writes all digits of the double,
 * because LibreOffice would show a number slightly below 17:00 as 16:59:59.
 */
export function appendTimeSerial(out: ByteBuffer, bytes: Uint8Array, start: number): true {
  const isEndOfDay = readTwoDigits(bytes, start) === hoursPerDay;
  const milliseconds = isEndOfDay ? millisecondsPerDay : shownMilliseconds(bytes, start);
  out.append(Buffer.from(String(milliseconds / millisecondsPerDay), "latin1"));
  return true;
}

function appendDayFraction(out: ByteBuffer, bytes: Uint8Array, start: number): void {
  let decimals = Math.round(shownMilliseconds(bytes, start) * decimalsPerMillisecond);
  if (decimals === 0) return;
  let count = decimalCount;
  while (decimals % 10 === 0) {
    decimals /= 10;
    count--;
  }
  out.push(point);
  appendDigits(out, decimals, count);
}

/** Returns the milliseconds since midnight; 23:59:59 for the last half second of a day, which programs would round up. */
function shownMilliseconds(bytes: Uint8Array, start: number): number {
  const milliseconds = millisecondsOfDay(bytes, start);
  return milliseconds < lastHalfSecond ? milliseconds : lastSecond;
}

function readTwoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) - zero) * 10 + (bytes[at + 1] as number) - zero;
}

function millisecondsOfDay(bytes: Uint8Array, start: number): number {
  const seconds =
    readTwoDigits(bytes, start) * 3600 + readTwoDigits(bytes, start + 3) * 60 + readTwoDigits(bytes, start + 6);
  let milliseconds = seconds * 1000;
  if (bytes[start + 8] !== point) return milliseconds;
  for (let place = 0, worth = 100; place < 3; place++, worth /= 10) {
    const digit = (bytes[start + 9 + place] as number) - zero;
    if (!(digit >= 0 && digit <= 9)) break;
    milliseconds += digit * worth;
  }
  return milliseconds;
}

function appendDigits(out: ByteBuffer, value: number, digits: number): void {
  let rest = value;
  for (let at = out.length + digits - 1; at >= out.length; at--) {
    const tenth = Math.floor(rest / 10);
    out.bytes[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
  out.length += digits;
}
