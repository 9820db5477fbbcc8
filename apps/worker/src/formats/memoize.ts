import { Buffer } from "node:buffer";

/** Texts kept. One report has fewer dates and lists of codes. */
const maxKept = 4_000;
export const maxLocales = 16;

/** Memoises a function of text that is too slow per cell. */
export function memoize<Made>(make: (text: string) => Made, most = maxKept): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= most) known.clear();
      known.set(copyText(text), made);
    }
    return made;
  };
}

/** Copies a text to be kept: a substring would retain all of its row. */
export function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
