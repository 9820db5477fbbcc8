import { Buffer } from "node:buffer";
import {
  describeValue,
  readObjectCell,
  type ObjectCell,
  type ObjectRow,
  type RowWithCells,
  type ReportColumn,
} from "@reports/core/report";
import { PermanentReportError } from "@reports/core/base";

const chunkCharacters = 64 * 1024;

export interface ReadCells extends RowWithCells {
  readonly cells: readonly ObjectCell[];
}

/** Encodes the first `columnCount` cells of each row in the wire form. `read` returns null for rows that do not belong to the report. */
export async function* encodeObjectRows(
  rows: AsyncIterable<ObjectRow>,
  columnCount: number,
  read: (row: ObjectRow) => ReadCells | null,
): AsyncGenerator<Buffer> {
  let text = "";
  for await (const object of rows) {
    const row = read(object);
    if (row === null) continue;
    for (let at = 0; at < columnCount; at++) text += `${at === 0 ? "" : ","}${encodeField(cellToText(row.cells[at]!))}`;
    text += "\n";
    if (text.length < chunkCharacters) continue;
    yield Buffer.from(text, "utf8");
    text = "";
  }
  if (text !== "") yield Buffer.from(text, "utf8");
}

/** Makes the function that reads the columns of an object. A value that does not fit its column, even a hidden one, ends the report as INVALID_DATA. */
export function createObjectReader(columns: readonly ReportColumn[], timezone: string): (row: ObjectRow) => ReadCells {
  const places = new Map(columns.map(({ key }, at) => [key, at]));
  const readColumn = (column: ReportColumn, row: ObjectRow): ObjectCell => {
    const cell = readObjectCell(column, row, timezone);
    if (cell === undefined) throw unfitValueError(column, row);
    return cell;
  };
  return (row) => {
    if (!isObject(row)) throw unfitRowError();
    const cells = columns.map((column) => readColumn(column, row));
    return { row, cells, cell: (key) => cells[places.get(key) ?? -1] ?? null };
  };
}

/** Returns a value in the wire form. A list becomes a Postgres array literal. */
export function cellToText(cell: ObjectCell): string | null {
  return cell === null || typeof cell === "string" ? cell : `{${cell.map(elementToText).join(",")}}`;
}

function elementToText(element: string): string {
  if (element !== "" && !/[{}",\\\s]/.test(element) && element.toUpperCase() !== "NULL") return element;
  return `"${element.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

function encodeField(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Report types in plain JavaScript may return anything. */
function isObject(row: unknown): boolean {
  return typeof row === "object" && row !== null;
}

function unfitRowError(): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    "The source of this report type gave a row that is not an object. Its owner must fix it.",
  );
}

function unfitValueError(column: ReportColumn, row: ObjectRow): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type gave ${describeValue(row[column.key])} that is not a valid ${column.kind} for column ${column.key}. Its owner must fix it.`,
  );
}
