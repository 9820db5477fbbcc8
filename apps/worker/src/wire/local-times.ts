import { Buffer } from "node:buffer";
import { createTimestampConverter, formatUtcOffset, getZoneOffsetSecondsLookup } from "@reports/core/base";
import type { ByteBuffer } from "./byte-buffer.ts";

const zero = 0x30;
const hyphen = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const space = 0x20;
const secondsPerDay = 86_400;

export type AppendLocalTime = (out: ByteBuffer, bytes: Uint8Array, start: number, end: number) => void;

/**
 * Appends times in a zone. Times in UTC, as sources return them, are converted without strings, which is faster. Times of old row snapshots have
 * other offsets.
 */
export function createLocalTimeAppender(timezone: string): AppendLocalTime {
  const offsetAt = getZoneOffsetSecondsLookup(timezone);
  const localOf = createTimestampConverter(timezone);
  const isUtc = timezone === "UTC";
  const offsetTexts = new Map<number, Buffer>();

  return (out, bytes, start, end) => {
    if (!isInUtc(bytes, start, end)) {
      out.appendText(localOf(Buffer.from(bytes.subarray(start, end)).toString("latin1")));
      return;
    }
    if (isUtc) {
      out.append(bytes, start, end);
      return;
    }
    const year = readTwoDigits(bytes, start) * 100 + readTwoDigits(bytes, start + 2);
    const day = daysSinceEpoch(year, readTwoDigits(bytes, start + 5), readTwoDigits(bytes, start + 8));
    const secondOfDay =
      readTwoDigits(bytes, start + 11) * 3600 +
      readTwoDigits(bytes, start + 14) * 60 +
      readTwoDigits(bytes, start + 17);
    const offsetS = offsetAt(day, secondOfDay);
    const localS = secondOfDay + offsetS;
    const movedDays = localS < 0 ? -1 : localS < secondsPerDay ? 0 : 1;
    // The local time can be in year 0 or 10000, which the wire form writes differently.
    if (Number.isNaN(offsetS) || (movedDays !== 0 && (year === 1 || year === 9999))) {
      out.appendText(localOf(Buffer.from(bytes.subarray(start, end)).toString("latin1")));
      return;
    }
    let offsetText = offsetTexts.get(offsetS);
    if (offsetText === undefined) {
      offsetText = Buffer.from(formatUtcOffset(offsetS));
      offsetTexts.set(offsetS, offsetText);
    }
    const at = out.length;
    out.append(bytes, start, end - 3);
    if (movedDays !== 0) writeDay(out.bytes, at, day + movedDays);
    const rest = localS - movedDays * secondsPerDay;
    const minute = Math.trunc(rest / 60);
    const hour = Math.trunc(minute / 60);
    writeTwoDigits(out.bytes, at + 11, hour);
    writeTwoDigits(out.bytes, at + 14, minute - hour * 60);
    writeTwoDigits(out.bytes, at + 17, rest - minute * 60);
    out.append(offsetText);
  };
}

function isInUtc(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start >= 22 &&
    bytes[start + 4] === hyphen &&
    bytes[start + 10] === space &&
    bytes[end - 3] === plus &&
    bytes[end - 2] === zero &&
    bytes[end - 1] === zero &&
    (bytes[start + 19] === plus || bytes[start + 19] === point)
  );
}

function readTwoDigits(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) - zero) * 10 + (bytes[at + 1] as number) - zero;
}

function writeTwoDigits(bytes: Uint8Array, at: number, value: number): void {
  const tens = Math.trunc(value / 10);
  bytes[at] = zero + tens;
  bytes[at + 1] = zero + value - tens * 10;
}

/** Returns the days since 1970-01-01 in the proleptic Gregorian calendar. Years begin in March here, so that the leap day is the last. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return marchYear * 365 + leapDays + Math.floor((marchMonth * 153 + 2) / 5) + day - 719_469;
}

function writeDay(bytes: Uint8Array, at: number, daysFromEpoch: number): void {
  const days = daysFromEpoch + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
  writeTwoDigits(bytes, at, Math.floor(year / 100));
  writeTwoDigits(bytes, at + 2, year % 100);
  writeTwoDigits(bytes, at + 5, month);
  writeTwoDigits(bytes, at + 8, dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1);
}
