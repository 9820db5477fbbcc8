import { toSafeText } from "./to-safe-text.ts";

export function quoteShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${toSafeText(word).replaceAll("'", "'\\''")}'`;
}
