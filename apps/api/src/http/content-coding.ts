import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import { listElements } from "./list-header.ts";

const encoders = {
  zstd: promisify(zstdCompress),
  // Level 4 takes two thirds of the default level's time, for a few per cent more bytes.
  gzip: async (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, { level: 4 }),
} as const;

/** Supported content codings. The first one takes less processor time. RFC 9110 §8.4, RFC 8878. */
export type Coding = keyof typeof encoders;

const codings = Object.keys(encoders) as readonly Coding[];
const maxElements = 20;
const element = /^([\w!#$&^.+*-]+)(?:\s*;\s*q=([01](?:\.\d{0,3})?))?$/;

/** Returns the coding that `Accept-Encoding` prefers (RFC 9110 §12.5.3), or null if it accepts none. Ignores unreadable elements. */
export function chooseCoding(header: string | undefined): Coding | null {
  const weights = new Map<string, number>();
  for (const part of listElements((header ?? "").toLowerCase(), maxElements)) {
    const [, name, quality = "1"] = element.exec(part) ?? [];
    if (name !== undefined) weights.set(name, Number(quality));
  }
  const weightOf = (coding: Coding): number => weights.get(coding) ?? weights.get("*") ?? 0;
  // A caller that gives `identity` a higher weight gets no coding.
  const plain = weights.get("identity") ?? 0;
  const [best] = codings.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= plain ? best : null;
}

/** Encodes bytes in a thread, so that the event loop is not blocked. */
export async function encode(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return encoders[coding](bytes);
}
