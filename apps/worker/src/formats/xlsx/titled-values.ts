import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core/report";

export type TitleFinder<Made> = (bytes: Uint8Array, start: number, end: number) => Made | undefined;

export function createTitleFinder<Made>(
  titles: ReportColumn["titles"],
  make: (title: string) => Made,
): TitleFinder<Made> | undefined {
  if (titles === undefined) return undefined;
  const buckets = new Map<number, { readonly value: Buffer; readonly made: Made }[]>();
  for (const [text, title] of Object.entries(titles)) {
    const value = Buffer.from(text, "utf8");
    const bucket = hashValue(value, 0, value.length);
    const others = buckets.get(bucket);
    const entry = { value, made: make(title) };
    if (others === undefined) buckets.set(bucket, [entry]);
    else others.push(entry);
  }
  return (bytes, start, end) => {
    const bucket = buckets.get(hashValue(bytes, start, end));
    if (bucket === undefined) return undefined;
    for (const { value, made } of bucket) if (equalsBytes(value, bytes, start)) return made;
    return undefined;
  };
}

/** Hashes a value by its length, first and last byte, which distinguish nearly all codes of an enumeration. */
function hashValue(bytes: Uint8Array, start: number, end: number): number {
  if (start === end) return 0;
  return ((end - start) << 16) | ((bytes[start] as number) << 8) | (bytes[end - 1] as number);
}

function equalsBytes(value: Buffer, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < value.length; at++) if (value[at] !== bytes[start + at]) return false;
  return true;
}
