import { ByteBuffer } from "./byte-buffer.ts";
import { createLocalTimeAppender } from "./local-times.ts";

const space = 0x20;
const plus = 0x2b;
const minus = 0x2d;
const colon = 0x3a;
const zero = 0x30;
const letterT = 0x54;

/**
 * Makes the function that appends a wire timestamp as RFC 3339 in a time zone: `2026-11-21 00:02:03.5+00` → `2026-11-21T01:02:03.5+01:00`. RFC 3339
 * has no seconds in offsets (local mean time), so such a time is shifted to an offset in whole minutes. Infinity and years outside 1 to 9999 stay as
 * Postgres writes them.
 */
export function createRfc3339Appender(
  timezone: string,
): (out: ByteBuffer, bytes: Uint8Array, start: number, end: number) => void {
  const appendLocal = createLocalTimeAppender(timezone);
  return (out, bytes, start, end) => {
    const from = out.length;
    appendLocal(out, bytes, start, end);
    rewriteAsRfc3339(out, from);
  };
}

/** Rewrites a timestamp as RFC 3339 and keeps its offset. */
export function formatRfc3339(wireText: string): string {
  const out = new ByteBuffer(40);
  out.appendText(wireText);
  rewriteAsRfc3339(out, 0);
  return out.view().toString("latin1");
}

function rewriteAsRfc3339(out: ByteBuffer, from: number): void {
  const { bytes, length: end } = out;
  const isPlain = end - from >= 22 && bytes[from + 10] === space;
  const hasHours = isPlain && isSign(bytes[end - 3]);
  if (!hasHours && !(isPlain && bytes[end - 3] === colon && isSign(bytes[end - 6]))) {
    const text = bytes.toString("latin1", from, end);
    out.length = from;
    out.appendText(formatUnusualTimestamp(text));
    return;
  }
  bytes[from + 10] = letterT;
  if (!hasHours) return;
  out.reserve(3);
  out.push(colon);
  out.push(zero);
  out.push(zero);
}

function isSign(byte: number | undefined): boolean {
  return byte === plus || byte === minus;
}

function formatUnusualTimestamp(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d:\d\d):(\d\d)$/.exec(text);
  if (match === null) return text;
  const [, day, time, fraction = "", sign, offset, seconds] = match;
  const towardsUtc = (sign === "+" ? -1000 : 1000) * Number(seconds);
  const shifted = new Date(Date.parse(`${day}T${time}Z`) + towardsUtc).toISOString().slice(0, 19);
  return `${shifted}${fraction}${sign}${offset}`;
}
