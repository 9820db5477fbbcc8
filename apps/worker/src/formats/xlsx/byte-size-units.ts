import type { ReportColumn } from "@reports/core/report";
import type { WireRow } from "../../wire/read-rows.ts";
import { maxExactDigits } from "./exact-number.ts";
import { sampledRowCount } from "./measured-columns.ts";

export const byteSizeUnits = ["B", "kB", "MB", "GB", "TB"] as const;

/**
 * Gives every column of sizes the unit of its largest value, and names the unit in the title. Looks for that value in `largest`, by column key, and
 * in the first rows. A column whose sizes are zero or too long for a number keeps a unit per cell.
 */
export function applyByteSizeUnits(
  columns: readonly ReportColumn[],
  rows: Iterable<WireRow>,
  largest: ReadonlyMap<string, string> = new Map(),
): ReportColumn[] {
  const sizeIndexes = [...columns.keys()].filter((at) => columns[at]!.kind === "bytes");
  if (sizeIndexes.length === 0) return [...columns];
  const digits = columns.map(({ key }) => countDigits(largest.get(key)));
  for (const row of Iterator.from(rows).take(sampledRowCount))
    for (const at of sizeIndexes) digits[at] = Math.max(digits[at]!, countDigits(row[at]));
  return columns.map((column, at) => {
    if (column.kind !== "bytes" || digits[at] === 0 || digits[at]! > maxExactDigits) return column;
    const unit = byteSizeUnits[Math.ceil(digits[at]! / 3) - 1]!;
    return { ...column, title: `${column.title} (${unit})`, unit };
  });
}

/**
 * Returns the number formats of sizes in a unit. The first is for sizes of up to three digits, the second for up to six, and so on. The last is
 * for all larger sizes. A size that would round to zero is shown as less than a tenth. Large sizes have a plain format, because LibreOffice omits
 * the minus sign in a format with three conditions.
 */
export function createByteSizeFormatCodes(unit: string, lessThanTenth: string): string[] {
  const power = byteSizeUnits.findIndex((each) => each === unit);
  if (power <= 0) return ["0"];
  const scaled = `#,##0.0${",".repeat(power)}`;
  const small = `"${lessThanTenth}"`;
  return Array.from({ length: power + 1 }, (_, groups) => {
    if (groups === power) return scaled;
    const rounded = groups === power - 1 ? `[>=${5 * 10 ** (3 * power - 2)}]${scaled};` : "";
    return `${rounded}${groups === 0 ? "[=0]0.0;" : ""}${small}`;
  });
}

function countDigits(size: string | null | undefined): number {
  return /^-?([1-9]\d*)/.exec(size ?? "")?.[1]?.length ?? 0;
}
