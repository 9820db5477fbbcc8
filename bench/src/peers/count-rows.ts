import { runProgram } from "../programs.ts";

export type PeerFormat = keyof typeof countCommands;

/** Shell commands that print the number of rows in the file `$1` of a peer. */
const countCommands = {
  csv: `wc -l < "$1"`,
  json: `grep -c '^{' "$1"`,
  // The header is a row of the sheet.
  xlsx: `echo $(($(unzip -p "$1" xl/worksheets/sheet1.xml | tr '<' '\\n' | grep -c '^row ') - 1))`,
  // The area is the left part of the first column, without the header and the page number (go-writers/pdf.go). Its cells are never empty. Texts of
  // other columns would also be in the column to their right, because pdftotext ignores clips.
  pdf: `pdftotext -layout -x 28 -y 38 -W 24 -H 515 "$1" - | grep -c '[^[:space:]]'`,
} as const;

/** Counts the rows in a file that a peer wrote, so that a peer that leaves out rows does not count as fast. */
export async function countRows(format: PeerFormat, path: string): Promise<number> {
  return Number(await runProgram("bash", ["-o", "pipefail", "-c", countCommands[format], "bash", path]));
}
