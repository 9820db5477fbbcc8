import { encode } from "./content-coding.ts";
import type { Coding } from "./content-coding.ts";

/** A text that many answers have. All of them share its bytes: however many are on their way, they are kept once. */
export interface StaticText {
  readonly bytes: Buffer;
  /** The bytes in a coding, made when they are first asked for. */
  encoded(coding: Coding): Promise<Buffer>;
}

/** Keeps a text. */
export function createStaticText(text: string): StaticText {
  const bytes = Buffer.from(text);
  const made = new Map<Coding, Promise<Buffer>>();
  return {
    bytes,
    async encoded(coding) {
      const known = made.get(coding) ?? encode(bytes, coding);
      made.set(coding, known);
      return known;
    },
  };
}
