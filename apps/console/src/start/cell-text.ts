import type { ReportRow, ReportTypeColumn } from "@reports/client";
import { dateText, wallClockText } from "../parts/time-text.ts";
import { percentText, sizeText } from "../parts/text.ts";

const wholeNumberFormat = new Intl.NumberFormat("en");

/** Reports whether a column contains numbers, which are aligned to the right. */
export function isNumericColumn({ kind }: Pick<ReportTypeColumn, "kind">): boolean {
  return ["integer", "bigint", "decimal", "ratio", "bytes"].includes(kind);
}

/** Formats a value as files show it: titles of codes, amounts with units, times in the report's zone. */
export function cellText(
  { kind, titles }: Pick<ReportTypeColumn, "kind" | "titles">,
  value: ReportRow[string] | null,
): string {
  if (value === null) return "";
  return [value]
    .flat()
    .map((one) => titles[String(one)] ?? formatCellValue(kind, String(one)))
    .join("; ");
}

function formatCellValue(kind: string, value: string): string {
  if (kind === "boolean") return value === "true" ? "Yes" : "No";
  if (kind === "timestamp") return wallClockText(value);
  if (kind === "date") return dateText(value);
  if (kind === "ratio") return percentText(Number(value));
  if (kind === "bytes") return sizeText(Number(value));
  // Integers have no separators, because an integer may be a port or a year.
  return kind === "bigint" ? wholeNumberFormat.format(BigInt(value)) : value;
}

/** Returns a URL to which a value may link: https, without credentials and control characters. pdf and xlsx have the same rule. */
export function linkOf(text: string): string | null {
  return /^(?=.{9,2083}$)https:\/\/[^\s/?#@\\\p{Cc}]+([/?#]\P{Cc}*)?$/iu.test(text) ? text : null;
}
