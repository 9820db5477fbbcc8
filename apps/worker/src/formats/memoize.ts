import { Buffer } from "node:buffer";

const maxCachedTexts = 4_000;
export const maxCachedLocales = 16;

/** Caches the results of a function that is too slow to call per cell. Empties the cache when it has `maxEntries` results. */
export function memoize<Made>(make: (text: string) => Made, maxEntries = maxCachedTexts): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    let made = known.get(text);
    if (made === undefined) {
      made = make(text);
      if (known.size >= maxEntries) known.clear();
      known.set(detachSubstring(text), made);
    }
    return made;
  };
}

/** Copies a text before it is cached, because a substring would keep the text of its whole row in memory. */
export function detachSubstring(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
