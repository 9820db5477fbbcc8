import { PermanentReportError } from "../../base/errors.ts";
import type { ValueColumn } from "./column.ts";
import { describeValueType, readObjectCell, type ObjectCell } from "./object-cell.ts";
import type { RowWithCells } from "./row-order.ts";
import type { ObjectRow } from "./row-source.ts";

export interface ObjectRowCells extends RowWithCells {
  readonly cells: readonly ObjectCell[];
}

/** Returns a reader of object rows. It throws PermanentReportError("INVALID_DATA") for an unfit value, even in a hidden column. */
export function createObjectRowReader(
  columns: readonly ValueColumn[],
  timezone: string,
): (row: ObjectRow) => ObjectRowCells {
  const places = new Map(columns.map(({ key }, at) => [key, at]));
  const readColumn = (column: ValueColumn, row: ObjectRow): ObjectCell => {
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

export function cellToText(cell: ObjectCell): string | null {
  return cell === null || typeof cell === "string" ? cell : `{${cell.map(elementToText).join(",")}}`;
}

function elementToText(element: string): string {
  if (element !== "" && !/[{}",\\\s]/.test(element) && element.toUpperCase() !== "NULL") return element;
  return `"${element.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

function isObject(row: unknown): boolean {
  return typeof row === "object" && row !== null;
}

function unfitRowError(): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    "The source of this report type gave a row that is not an object. Its owner must fix it.",
  );
}

function unfitValueError(column: ValueColumn, row: ObjectRow): PermanentReportError {
  return new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type gave ${describeValueType(row[column.key])} that is not a valid ${column.kind} for column ${column.key}. Its owner must fix it.`,
  );
}
