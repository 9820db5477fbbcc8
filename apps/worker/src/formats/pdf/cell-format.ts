import type { ColumnKind, ReportColumn } from "@reports/core";
import { lateTimestampInUtc } from "../../wire/late-timestamp.ts";
import { parseList } from "../../wire/read-rows.ts";
import { createTitleLookup } from "../value-titles.ts";
import type { NumberFormat } from "../number-format.ts";

/** What a null shows; an empty text shows nothing. */
export const nullText = "–";

/** Turns a value of the wire form into what a reader sees. */
export type CellFormat = (value: string) => string;

/** The way in which values of a column or figure are shown, in the conventions of one report. */
export function createCellFormat(
  column: Pick<ReportColumn, "kind" | "plainDigits" | "titles">,
  conventions: { readonly numbers: NumberFormat; readonly timezone: string },
): CellFormat {
  if (column.plainDigits) return (value) => value;
  const titleOf = createTitleLookup(column.titles);
  switch (column.kind) {
    case "integer":
    case "bigint":
    case "decimal":
      return conventions.numbers.decimal;
    case "ratio":
      return conventions.numbers.percent;
    case "bytes":
      return conventions.numbers.bytes;
    case "boolean":
      return (value) => (value === "t" ? "Yes" : "No");
    case "timestamp":
      return conventions.timezone === "UTC" ? (value) => value.slice(0, 19) : localTimestamp;
    case "list":
      return (value) =>
        parseList(value)
          .map((element) => (element === null ? nullText : titleOf(element)))
          .join(", ");
    case "text":
      return titleOf;
    case "date":
      return (value) => value;
  }
}

/** Numbers are set flush right, so that they can be compared down a column. */
export function isNumeric(kind: ColumnKind): boolean {
  return kind === "integer" || kind === "bigint" || kind === "decimal" || kind === "ratio" || kind === "bytes";
}

/** Seconds are shown, fractions are not; the offset stays, because an hour comes twice when the clocks go back. */
function localTimestamp(wireText: string): string {
  const value = lateTimestampInUtc(wireText) ?? wireText;
  const offset = /[+-]\d\d(:\d\d)*$/.exec(value);
  return `${value.slice(0, 19)}${offset === null ? "" : ` ${offset[0]}`}`;
}
