import { Buffer } from "node:buffer";
import {
  describeValue,
  PermanentReportError,
  readObjectCell,
  type ObjectCell,
  type ObjectRow,
  type ReadRow,
  type ReportColumn,
} from "@reports/core";
import { createTimestampFormatter } from "./zoned-timestamp.ts";

const chunkCharacters = 64 * 1024;

/**
 * Encodes rows that were read into the wire form, with these columns.
 */
export async function* encodeObjectRows(
  rows: AsyncIterable<ReadRow>,
  columns: readonly ReportColumn[],
): AsyncGenerator<Buffer> {
  let text = "";
  for await (const row of rows) {
    text += columns.map(({ key }) => encodeField(textOfCell(row.cell(key)))).join(",");
    text += "\n";
    if (text.length < chunkCharacters) continue;
    yield Buffer.from(text, "utf8");
    text = "";
  }
  if (text !== "") yield Buffer.from(text, "utf8");
}

/**
 * Makes what reads rows of objects, column by column as they are asked for. A value that does not fit its column's kind is INVALID_DATA,
 * also where no format shows the column.
 */
export function createObjectReader(columns: readonly ReportColumn[], timezone: string): (row: ObjectRow) => ReadRow {
  const formatTimestamp = createTimestampFormatter(timezone);
  return (row) => {
    const cells = new Map<string, ObjectCell>();
    for (const column of columns) {
      const cell = readObjectCell(column, row, formatTimestamp);
      if (cell === undefined) throw unfit(column, row);
      cells.set(column.key, cell);
    }
    return { row, cell: (key) => cells.get(key) ?? null };
  };
}

/** The text of a value in the wire form: a list is a Postgres array literal. */
export function textOfCell(cell: ObjectCell): string | null {
  return cell === null || typeof cell === "string" ? cell : `{${cell.map(textOfElement).join(",")}}`;
}

function textOfElement(element: string): string {
  if (element !== "" && !/[{}",\\\s]/.test(element) && element.toUpperCase() !== "NULL") return element;
  return `"${element.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

function encodeField(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function unfit(column: ReportColumn, row: ObjectRow): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type gave ${describeValue(row[column.key])} that is not a valid ${column.kind} for column ${column.key}. Its owner must fix it.`,
  );
}
