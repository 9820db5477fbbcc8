import { safeText } from "./safe-text.ts";

/** Quotes a word for a POSIX shell, if the word needs quotes. */
export function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${safeText(word).replaceAll("'", "'\\''")}'`;
}
