import { encode } from "./content-coding.ts";
import type { Coding } from "./content-coding.ts";

/** A text of many responses, which share its bytes. */
export interface StaticText {
  readonly bytes: Buffer;
  /** Encoded once, when first needed. */
  encoded(coding: Coding): Promise<Buffer>;
}

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
