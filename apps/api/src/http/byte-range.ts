import type { ByteRange } from "@reports/core/base";
import { splitListHeader } from "./list-header.ts";

/** Reads a `Range` header (RFC 9110 §14). Returns null, which means the whole file, for a missing or malformed header, another unit, or several ranges. */
export function parseByteRange(header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | null {
  const [, set = ""] = /^bytes=(.*)$/i.exec(header ?? "") ?? [];
  const [range = "", ...others] = splitListHeader(set, 2);
  if (others.length > 0) return null;
  const [, first, last] = /^(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Number(last);
    if (length === 0 || sizeBytes === 0) return "unsatisfiable";
    return { start: Math.max(sizeBytes - length, 0), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? Infinity : Number(last);
  if (start > end) return null;
  if (start >= sizeBytes) return "unsatisfiable";
  return { start, end: Math.min(end, sizeBytes - 1) };
}
