import { z } from "zod";
import type { Fields } from "./field.ts";

export interface CsvCellReader {
  readonly required: readonly string[];
  /** Returns the JSON value of a cell. A cell that does not fit its field stays text, which the schema then refuses with the field's rule. */
  readCell(name: string, cell: string): unknown;
}

export function createCsvCellReader(fields: Fields): CsvCellReader {
  const readers = new Map(Object.entries(fields).map(([name, { answer }]) => [name, readerOf(answer)]));
  return {
    required: Object.keys(fields).filter((name) => fields[name]!.writing === "required"),
    readCell: (name, cell) => readers.get(name)?.(cell) ?? cell,
  };
}

function readerOf(schema: z.ZodType): (cell: string) => unknown {
  if (schema instanceof z.ZodNullable) return readerOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNumber) return readNumber;
  if (schema instanceof z.ZodBoolean) return (cell) => (cell === "true" ? true : cell === "false" ? false : cell);
  if (schema instanceof z.ZodArray) return (cell) => cell.split(";").map((item) => item.trim());
  return (cell) => cell;
}

function readNumber(cell: string): unknown {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell) ? Number(cell) : cell;
}
