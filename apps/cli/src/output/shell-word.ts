import { safeText } from "./safe-text.ts";

export function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${safeText(word).replaceAll("'", "'\\''")}'`;
}
