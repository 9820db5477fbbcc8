import { randomFillSync } from "node:crypto";

/** A parsed `traceparent` header (W3C Trace Context, section 3.2). */
export interface Traceparent {
  /** 32 lower-case hex digits, not all zero. */
  readonly traceId: string;
  /** 16 lower-case hex digits, not all zero. */
  readonly spanId: string;
  readonly sampled: boolean;
}

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxHeaderLength = 512;

/** Parses a `traceparent` header. Returns null if the header is missing or malformed, because the W3C standard says to ignore a malformed one. */
export function parseTraceparent(header: string | undefined): Traceparent | null {
  if (header === undefined || header.length > maxHeaderLength) return null;
  const [, version, traceId = "", spanId = "", flags = "", rest] = traceparentPattern.exec(header) ?? [];
  if (version === undefined || version === "ff") return null;
  // Version 00 has exactly four parts; later versions may add some.
  if (version === "00" && rest !== undefined) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Returns a new span in the trace of `parent`, or in a new trace. */
export function newTraceparent(parent: Traceparent | null = null): Traceparent {
  return {
    traceId: parent?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    sampled: parent?.sampled ?? false,
  };
}

export function formatTraceparent(traceparent: Traceparent): string {
  return `00-${traceparent.traceId}-${traceparent.spanId}-${traceparent.sampled ? "01" : "00"}`;
}

/** Random bytes for the next IDs, because one call for 4,096 bytes takes hardly longer than a call for the few bytes of one ID. */
const randomPool = Buffer.alloc(4_096);
let used = randomPool.length;

function randomHex(bytes: number): string {
  if (used + bytes > randomPool.length) {
    randomFillSync(randomPool);
    used = 0;
  }
  const hex = randomPool.toString("hex", used, used + bytes);
  used += bytes;
  return /^0+$/.test(hex) ? randomHex(bytes) : hex;
}
