import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import ExcelJS from "exceljs";
import readExcelFile from "read-excel-file/node";
import { read, utils, type CellObject } from "xlsx";
import {
  convertByLibreOffice,
  hasCalamine,
  hasLibreOffice,
  hasOpenpyxl,
  hasXlsx2csv,
  createPythonScriptCaller,
} from "../readers.fixture.ts";

/** A cell as a reader returns it: a number, a local time, text, or null for an empty cell. */
export type CellFromReader = number | string | null;
export type WorkbookFromReader = Readonly<Record<string, readonly (readonly CellFromReader[])[]>>;

export interface WorkbookReader {
  /** A library runs in the test process. Other programs take longer. */
  readonly runsIn: "test-process" | "other-process";
  readonly isInstalled: boolean;
  readonly read: (path: string) => Promise<WorkbookFromReader> | WorkbookFromReader;
  /** Set if the reader returns the shown text of a cell instead of its value. */
  readonly showsTextOnly?: boolean;
  /** Set if the reader decodes XML references twice, so that it reads `&amp;amp;` as `&`. */
  readonly decodesTwice?: boolean;
  /** Set if the reader decodes each chunk of a file on its own, so that a character on the border of two chunks becomes U+FFFD several times. */
  readonly breaksCharacters?: boolean;
}

export const workbookReaders: Readonly<Record<string, WorkbookReader>> = {
  openpyxl: {
    runsIn: "other-process",
    isInstalled: hasOpenpyxl,
    read: async (path) => decodeEscapes(await readByPython("openpyxl", path)),
  },
  "openpyxl, read-only": {
    runsIn: "other-process",
    isInstalled: hasOpenpyxl,
    read: async (path) => decodeEscapes(await readByPython("openpyxl, read-only", path)),
  },
  calamine: {
    runsIn: "other-process",
    isInstalled: hasCalamine,
    read: async (path) => decodeEscapes(await readByPython("calamine", path), /_x(FFF[EF])_/g),
  },
  xlsx2csv: {
    runsIn: "other-process",
    isInstalled: hasXlsx2csv,
    read: async (path) => decodeEscapes(await readByPython("xlsx2csv", path)),
    showsTextOnly: true,
  },
  "exceljs readFile": {
    runsIn: "test-process",
    isInstalled: true,
    read: async (path) => decodeEscapes(await readByExceljs(path)),
    decodesTwice: true,
  },
  "exceljs stream": {
    runsIn: "test-process",
    isInstalled: true,
    read: async (path) => decodeEscapes(await readByExceljsStream(path)),
    decodesTwice: true,
    breaksCharacters: true,
  },
  "read-excel-file": { runsIn: "test-process", isInstalled: true, read: readByReadExcelFile },
  SheetJS: { runsIn: "test-process", isInstalled: true, read: readBySheetjs },
  LibreOffice: { runsIn: "other-process", isInstalled: hasLibreOffice, read: readByLibreOffice, showsTextOnly: true },
};

const readWorkbook = createPythonScriptCaller(join(import.meta.dirname, "read_workbook.py"));

async function readByPython(reader: string, path: string): Promise<WorkbookFromReader> {
  return mapSheets(Object.entries((await readWorkbook(reader, path)) as Record<string, unknown[][]>));
}

async function readByExceljs(path: string): Promise<WorkbookFromReader> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  return mapSheets(
    book.worksheets.map((sheet) => {
      // exceljs repeats the value of a merged range in each of its cells.
      for (const range of sheet.model.merges) sheet.unMergeCells(range);
      const rows: unknown[][] = [];
      sheet.eachRow({ includeEmpty: true }, (row) => void rows.push(rowValues(row)));
      return [sheet.name, rows];
    }),
  );
}

async function readByExceljsStream(path: string): Promise<WorkbookFromReader> {
  const names = namesByNumber(path);
  const sheets: [string, unknown[][]][] = [];
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(createReadStream(path), {
    worksheets: "emit",
    styles: "cache",
  });
  for await (const sheet of reader) {
    const rows: unknown[][] = [];
    for await (const row of sheet) {
      while (rows.length < row.number - 1) rows.push([]);
      rows.push(rowValues(row));
    }
    // The types of exceljs lack a sheet's number and name. Its stream reader yields sheets in stored order, some before it knows their names.
    const { id, name } = sheet as unknown as { readonly id: number; readonly name: string };
    sheets.push([[...names.values()].includes(name) ? name : (names.get(String(id)) ?? name), rows]);
  }
  return mapSheets(sheets);
}

function namesByNumber(path: string): ReadonlyMap<string, string> {
  const book = read(readFileSync(path), { bookFiles: true }) as unknown as {
    readonly files: Readonly<Record<string, { readonly content: Uint8Array }>>;
    readonly SheetNames: readonly string[];
  };
  const relations = Buffer.from(book.files["xl/_rels/workbook.xml.rels"]!.content).toString("utf8");
  const numbers = [...relations.matchAll(/worksheets\/sheet(\d+)\.xml/g)].map(([, number]) => number!);
  return new Map(numbers.map((number, at) => [number, book.SheetNames[at]!]));
}

function rowValues(row: ExcelJS.Row): unknown[] {
  return Array.from({ length: row.cellCount }, (_, at) => row.getCell(at + 1).value);
}

async function readByReadExcelFile(path: string): Promise<WorkbookFromReader> {
  const sheets = (await readExcelFile(path, { trim: false })) as unknown as readonly {
    readonly sheet: string;
    readonly data: readonly unknown[][];
  }[];
  return mapSheets(sheets.map(({ sheet, data }) => [sheet, data]));
}

function readBySheetjs(path: string): WorkbookFromReader {
  const book = read(readFileSync(path), { cellNF: true });
  return mapSheets(
    book.SheetNames.map((name) => {
      const sheet = book.Sheets[name]!;
      const { e: last } = utils.decode_range(sheet["!ref"] ?? "A1");
      const cell = (r: number, c: number) => sheet[utils.encode_cell({ r, c })] as CellObject | undefined;
      const rows = Array.from({ length: last.r + 1 }, (_, r) =>
        Array.from({ length: last.c + 1 }, (_, c) => sheetjsValue(cell(r, c))),
      );
      return [name, rows];
    }),
  );
}

function isDateFormat(format: string): boolean {
  return /[ymdhs]/i.test(format.replaceAll(/"[^"]*"|\\./g, ""));
}

/** Returns the value of a SheetJS cell. SheetJS would read a date in the time zone of the process, but a local time has none. */
function sheetjsValue(cell: CellObject | undefined): unknown {
  if (cell?.t !== "n" || !isDateFormat(String(cell.z))) return cell?.v;
  return new Date(Math.round((Number(cell.v) - 25_569) * 86_400_000));
}

function readByLibreOffice(path: string): WorkbookFromReader {
  const folder = mkdtempSync(join(tmpdir(), "libreoffice-"));
  try {
    // LibreOffice's options: comma, quote, UTF-8, from row 1, no column formats, texts quoted, as shown, no formulas, all sheets.
    const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false,false,false,-1";
    convertByLibreOffice(["--convert-to", filter], folder, [path]);
    const base = basename(path, ".xlsx");
    const files = readdirSync(folder).filter((file) => file.endsWith(".csv"));
    return mapSheets(
      files.map((file) => [
        file.slice(base.length + 1, -".csv".length),
        parse(readFileSync(join(folder, file)), { relax_column_count: true }) as unknown[][],
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mapSheets(sheets: readonly (readonly [string, readonly (readonly unknown[])[]])[]): WorkbookFromReader {
  return Object.fromEntries(sheets.map(([name, rows]) => [name, trimEmptyEnd(rows.map((row) => row.map(toReadCell)))]));
}

/** Removes empty rows and cells at the end, which only some readers return. */
function trimEmptyEnd(rows: readonly (readonly CellFromReader[])[]): readonly (readonly CellFromReader[])[] {
  const short = rows.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== null) + 1));
  return short.slice(0, short.findLastIndex((row) => row.length > 0) + 1);
}

function toReadCell(value: unknown): CellFromReader {
  if (value === null || value === undefined || value === "") return null;
  // A sheet cannot hold negative zero.
  if (typeof value === "number") return value === 0 ? 0 : value;
  if (value instanceof Date) return toLocalTime(value);
  if (typeof value === "string") return value;
  if (typeof value === "object" && "at" in value) return toLocalTime(new Date(`${String(value.at)}Z`));
  throw new Error(`A reader returned ${JSON.stringify(value)}.`);
}

/** Rounds to 10 ms, because some readers truncate the binary fraction of a day instead of rounding it. */
function toLocalTime(date: Date): string {
  return new Date(Math.round(date.getTime() / 10) * 10).toISOString().slice(0, -1);
}

/** Decodes the escapes of ECMA-376 part 1, 22.4.2.4, for readers that do not decode them. calamine leaves only those of noncharacters. */
function decodeEscapes(book: WorkbookFromReader, escapes = /_x([0-9A-Fa-f]{4})_/g): WorkbookFromReader {
  const decoded = (cell: CellFromReader): CellFromReader =>
    typeof cell === "string"
      ? cell.replaceAll(escapes, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
      : cell;
  return Object.fromEntries(Object.entries(book).map(([name, rows]) => [name, rows.map((row) => row.map(decoded))]));
}
