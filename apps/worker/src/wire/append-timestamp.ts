import { Buffer } from "node:buffer";
import { ByteBuffer } from "./byte-buffer.ts";
import { lateTimestampInUtc } from "./late-timestamp.ts";

const space = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const colon = 0x3a;
const zero = 0x30;
const letterT = 0x54;

/**
 * Appends a timestamp of the wire form as RFC 3339 with its offset: `2026-11-21 01:02:03.5+01` → `2026-11-21T01:02:03.5+01:00`.
 * An offset with seconds (local mean time, before the zones) is brought to the whole minute, the same instant.
 * A year that is beyond 9999 in the report's zone alone is written in UTC. What RFC 3339 cannot say (infinity, years before 1 and after
 * 9999) stays as Postgres writes it.
 */
export function appendTimestamp(out: ByteBuffer, bytes: Uint8Array, start: number, end: number): void {
  const isPlain = end - start >= 22 && bytes[start + 10] === space;
  const hasHours = isPlain && isSign(bytes[end - 3]);
  if (!hasHours && !(isPlain && bytes[end - 3] === colon && isSign(bytes[end - 6]))) {
    out.appendText(unusualTimestamp(Buffer.from(bytes.subarray(start, end)).toString("latin1")));
    return;
  }
  const separator = out.length + 10;
  out.append(bytes, start, end);
  out.bytes[separator] = letterT;
  if (!hasHours) return;
  out.reserve(3);
  out.push(colon);
  out.push(zero);
  out.push(zero);
}

/** The same for a timestamp that is text already. */
export function rfc3339(wireText: string): string {
  const out = new ByteBuffer(40);
  const bytes = Buffer.from(wireText, "latin1");
  appendTimestamp(out, bytes, 0, bytes.length);
  return out.view().toString("latin1");
}

function isSign(byte: number | undefined): boolean {
  return byte === plus || byte === minus;
}

function unusualTimestamp(text: string): string {
  const late = lateTimestampInUtc(text);
  if (late !== null) return rfc3339(late);
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d:\d\d):(\d\d)$/.exec(text);
  if (match === null) return text;
  const [, day, time, fraction = "", sign, offset, seconds] = match;
  const towardsUtc = (sign === "+" ? -1000 : 1000) * Number(seconds);
  const shifted = new Date(Date.parse(`${day}T${time}Z`) + towardsUtc).toISOString().slice(0, 19);
  return `${shifted}${fraction}${sign}${offset}`;
}
