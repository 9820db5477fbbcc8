import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import { listElements } from "./list-header.ts";

const encoders = {
  zstd: promisify(zstdCompress),
  // Two thirds of the default level's time, for a few per cent more bytes.
  gzip: async (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 4 }),
} as const;

/** Content codings, the cheaper one first. RFC 9110 §8.4, RFC 8878. */
export type Coding = keyof typeof encoders;

const codings = Object.keys(encoders) as readonly Coding[];
const maxElements = 20;
const element = /^([\w!#$&^.+*-]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/;

/** Chooses the coding that `Accept-Encoding` prefers; null if it accepts none. RFC 9110 §12.5.3. Ignores unreadable elements. */
export function chooseCoding(header: string | undefined): Coding | null {
  const weights = new Map<string, number>();
  for (const part of listElements((header ?? "").toLowerCase(), maxElements)) {
    const [, name, quality = "1"] = element.exec(part) ?? [];
    if (name !== undefined) weights.set(name, Number(quality));
  }
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  // Unless the caller prefers no coding.
  const plain = weights.get("identity") ?? 0;
  const [best] = codings.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= plain ? best : null;
}

/** Works outside the event loop. */
export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return encoders[coding](bytes);
}
