import type { ReportRow, ReportTypeColumn } from "@reports/client";
import type { Tone } from "../parts/state.tsx";
import { formatDate, formatDuration, formatTimeInOwnOffset } from "../parts/time-text.ts";
import { formatPercent, formatByteSize } from "../parts/text.ts";

type ShownColumn = Pick<
  ReportTypeColumn,
  "key" | "kind" | "titles" | "tones" | "tonesByNumber" | "unit" | "currency" | "currencyColumn" | "digits" | "align"
>;

export function findCellClass({ kind, align }: Pick<ShownColumn, "kind" | "align">): string {
  const isNumeric = ["integer", "bigint", "decimal", "ratio", "bytes", "duration"].includes(kind);
  const edge = align ?? (isNumeric ? "end" : "start");
  return edge === "end" ? "number" : edge === "center" ? edge : "";
}

export function findCellTone({ key, tones, tonesByNumber }: ShownColumn, row: ReportRow): Tone | undefined {
  const value = row[key] ?? null;
  if (value === null) return undefined;
  const number = Number(value);
  const found = tonesByNumber.find(
    ({ atLeast, below }) => number >= (atLeast ?? -Infinity) && number < (below ?? Infinity),
  );
  return (found?.tone ?? tones[String(value)]) as Tone | undefined;
}

/** Formats a cell as report files do: codes by title, amounts with units, times in the report's zone, numbers in the report's locale. */
export function formatCell(column: ShownColumn, row: ReportRow, locale: string): string {
  const value = row[column.key] ?? null;
  if (value === null) return "";
  return [value]
    .flat()
    .map((one) => column.titles[String(one)] ?? formatCellValue(column, String(one), row, locale))
    .join("; ");
}

function formatCellValue(column: ShownColumn, value: string, row: ReportRow, locale: string): string {
  const { kind, unit, currency, currencyColumn, digits } = column;
  if (kind === "boolean") return value === "true" ? "Yes" : "No";
  if (kind === "timestamp") return formatTimeInOwnOffset(value);
  if (kind === "date") return formatDate(value);
  if (kind === "bytes") return formatByteSize(Number(value));
  if (kind === "duration") return formatDuration(Number(value), digits ?? 3);
  const code = currency ?? row[currencyColumn ?? ""] ?? null;
  const places = digits === null ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (kind === "ratio")
    return digits === null
      ? formatPercent(Number(value))
      : formatNumber(value, locale, { style: "percent", ...places });
  if ((code ?? currencyColumn ?? unit ?? digits) === null)
    // Integers have no thousands separators, because an integer may be a port or a year.
    return kind === "bigint" ? formatNumber(value, locale) : value;
  return Intl.supportedValuesOf("currency").includes(String(code))
    ? formatNumber(value, locale, { style: "currency", currency: String(code), ...places })
    : [formatNumber(value, locale, { maximumFractionDigits: 20, ...places }), code ?? unitText(unit, value) ?? []]
        .flat()
        .join("\u00a0");
}

function unitText(unit: string | null, value: string): string | null {
  const singular = unit?.replace(/s$/, "") ?? "";
  return value === "1" && Intl.supportedValuesOf("unit").includes(singular) ? singular : unit;
}

/** Formats a decimal text exactly. Returns the text unchanged while the locale that the user types is invalid. */
function formatNumber(value: string, locale: string, options: Intl.NumberFormatOptions = {}): string {
  try {
    return new Intl.NumberFormat(locale, options).format(value as `${number}`);
  } catch {
    return value;
  }
}

/**
 * Returns the URL to which a cell may link: https, at most 2,083 characters, without credentials and control characters. Returns null for other
 * text. pdf and xlsx files have the same rule.
 */
export function toSafeLinkUrl(text: string): string | null {
  return text.length < 2_084 && /^https:\/\/[^\s/?#@\\\p{Cc}]+([/?#]\P{Cc}*)?$/iu.test(text) ? text : null;
}
