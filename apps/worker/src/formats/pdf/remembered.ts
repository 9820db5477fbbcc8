import { Buffer } from "node:buffer";

/** Texts that are kept; dates and lists of codes that one report shows are fewer. */
const maxKept = 4_000;

/** The function, which keeps what it has written before: for what is too slow to be asked for every cell. */
export function remembered(write: (text: string) => string): (text: string) => string {
  const written = new Map<string, string>();
  return (text) => {
    let shown = written.get(text);
    if (shown === undefined) {
      shown = write(text);
      if (written.size >= maxKept) written.clear();
      // A part of a block of rows would hold all of it.
      written.set(Buffer.from(text, "utf16le").toString("utf16le"), shown);
    }
    return shown;
  };
}
