import { Buffer } from "node:buffer";

/** Texts that are kept; dates and lists of codes that one report shows are fewer. */
const maxKept = 4_000;
/** Locales whose conventions are kept. */
export const maxLocales = 16;

/** The function, which keeps what it has made of a text before: for what is too slow to be asked for every cell. */
export function remembered<Made>(make: (text: string) => Made, most = maxKept): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= most) known.clear();
      known.set(ownText(text), made);
    }
    return made;
  };
}

/** A copy of the text, to be kept: a part of another text, such as one of a row, would hold all of it. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
