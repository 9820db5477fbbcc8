import { safeText } from "./safe-text.ts";

/** A word as a POSIX shell takes it, quoted where that is needed. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${safeText(word).replaceAll("'", "'\\''")}'`;
}
