import type { ColumnKind, ReportColumn } from "@reports/core";
import { lateTimestampInUtc } from "../../wire/late-timestamp.ts";
import { parseList } from "../../wire/read-rows.ts";
import type { NumberFormat } from "./number-format.ts";

/** What a null shows; an empty text shows nothing. */
export const nullText = "–";

/** Turns a value of the wire form into what a reader sees. */
export type CellFormat = (value: string) => string;

/** The way in which values of a column or figure are shown, in the conventions of one report. */
export function createCellFormat(
  column: Pick<ReportColumn, "kind" | "plainDigits">,
  conventions: { readonly numbers: NumberFormat; readonly timezone: string },
): CellFormat {
  if (column.plainDigits) return (value) => value;
  switch (column.kind) {
    case "integer":
    case "bigint":
    case "decimal":
      return conventions.numbers.decimal;
    case "ratio":
      return conventions.numbers.percent;
    case "boolean":
      return (value) => (value === "t" ? "Yes" : "No");
    case "timestamp":
      return conventions.timezone === "UTC" ? (value) => value.slice(0, 19) : localTimestamp;
    case "list":
      return (value) =>
        parseList(value)
          .map((element) => element ?? nullText)
          .join(", ");
    case "date":
    case "text":
      return (value) => value;
  }
}

/** Numbers are set flush right, so that they can be compared down a column. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal" || kind === "ratio";
}

/** Seconds are shown, fractions are not; the offset stays, because an hour comes twice when the clocks go back. */
function localTimestamp(wireText: string): string {
  const value = lateTimestampInUtc(wireText) ?? wireText;
  const offset = /[+-]\d\d(:\d\d)*$/.exec(value);
  return `${value.slice(0, 19)}${offset === null ? "" : ` ${offset[0]}`}`;
}
