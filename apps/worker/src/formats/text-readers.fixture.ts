import { createReadStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { fileExtension, type Compression, type ReportColumn, type ReportFormat } from "@reports/core/report";
import { parse } from "csv-parse/sync";
import {
  convertByLibreOffice,
  hasDuckdb,
  hasLibreOffice,
  hasPython,
  createPythonScriptCaller,
} from "./readers.fixture.ts";

export type TextFormat = Extract<ReportFormat, "csv" | "json" | "ndjson">;

export interface TextReader {
  /** Whether the reader is a library in the test process ("own") or another program, which takes longer. */
  readonly program: "own" | "other";
  readonly isInstalled: boolean;
  readonly compressions: readonly Compression[];
  readonly read: (path: string, columns: readonly ReportColumn[]) => Promise<unknown[][]> | unknown[][];
  /** Whether the reader returns an empty text for null. */
  readonly hasNoNull?: boolean;
  /** Whether the reader returns every line end within a cell as LF. */
  readonly hasNoCr?: boolean;
}

const allCompressions = ["none", "gzip", "zstd"] as const;

export const textReaders: Readonly<Record<TextFormat, Readonly<Record<string, TextReader>>>> = {
  csv: {
    "Python's csv": { ...createPythonReader("csv"), hasNoNull: true },
    DuckDB: createDuckdbReader("csv"),
    "csv-parse": {
      program: "own",
      isInstalled: true,
      compressions: allCompressions,
      read: readByCsvParse,
      hasNoNull: true,
    },
    LibreOffice: {
      program: "other",
      isInstalled: hasLibreOffice,
      compressions: ["none"],
      read: readByLibreOffice,
      hasNoNull: true,
      hasNoCr: true,
    },
  },
  json: {
    "JSON.parse": { program: "own", isInstalled: true, compressions: allCompressions, read: readByJsonParse },
    "Python's json": createPythonReader("json"),
    DuckDB: createDuckdbReader("json"),
  },
  ndjson: {
    "node:readline": { program: "own", isInstalled: true, compressions: ["none"], read: readByReadline },
    "JSON.parse": { program: "own", isInstalled: true, compressions: allCompressions, read: readByLines },
    "Python's json": createPythonReader("ndjson"),
    DuckDB: createDuckdbReader("ndjson"),
  },
};

export function buildTextFileName(name: string, format: TextFormat, compression: Compression): string {
  return `${name}.${fileExtension(format, compression)}`;
}

const readRows = createPythonScriptCaller(join(import.meta.dirname, "read_rows.py"));

function createPythonReader(format: TextFormat): TextReader {
  return {
    program: "other",
    isInstalled: hasPython,
    compressions: ["none", "gzip"],
    read: createScriptReader("python", format),
  };
}

function createDuckdbReader(format: TextFormat): TextReader {
  return {
    program: "other",
    isInstalled: hasDuckdb,
    compressions: allCompressions,
    read: createScriptReader("duckdb", format),
  };
}

function createScriptReader(reader: string, format: TextFormat): TextReader["read"] {
  return async (path, columns) => {
    const kinds = Object.fromEntries(columns.map(({ key, kind }) => [key, kind]));
    return (await readRows(reader, format, path, kinds)) as unknown[][];
  };
}

function selectCells(row: unknown, columns: readonly ReportColumn[]): unknown[] {
  return columns.map(({ key }) => (row as Readonly<Record<string, unknown>>)[key]);
}

function readDecompressed(path: string): string {
  const bytes = readFileSync(path);
  const plain = path.endsWith(".gz") ? gunzipSync(bytes) : path.endsWith(".zst") ? zstdDecompressSync(bytes) : bytes;
  return plain.toString("utf8");
}

function readByCsvParse(path: string): unknown[][] {
  return parse(readDecompressed(path), { bom: true }).slice(1);
}

function readByJsonParse(path: string, columns: readonly ReportColumn[]): unknown[][] {
  const { rows } = JSON.parse(readDecompressed(path)) as { readonly rows: readonly unknown[] };
  return rows.map((row) => selectCells(row, columns));
}

function readByLines(path: string, columns: readonly ReportColumn[]): unknown[][] {
  const lines = readDecompressed(path).split("\n").slice(0, -1);
  return lines.map((line) => selectCells(JSON.parse(line), columns));
}

async function readByReadline(path: string, columns: readonly ReportColumn[]): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    rows.push(selectCells(JSON.parse(line), columns));
  return rows;
}

function readByLibreOffice(path: string, columns: readonly ReportColumn[]): unknown[][] {
  const folder = mkdtempSync(join(tmpdir(), "libreoffice-"));
  try {
    // LibreOffice's options: comma, quote, UTF-8, from row 1, every column is text.
    const asText = columns.map((_, at) => `${at + 1}/2`).join("/");
    const from = `Text - txt - csv (StarCalc):44,34,76,1,${asText},0,false,false,false`;
    // LibreOffice's output options: comma, quote, UTF-8, every text quoted.
    const to = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,true,true,false";
    convertByLibreOffice([`--infilter=${from}`, "--convert-to", to], folder, [path]);
    const [header, ...rows] = parse(readFileSync(join(folder, basename(path))), {
      bom: true,
      relax_column_count: true,
    });
    if (header!.join() !== columns.map(({ key }) => key).join()) throw new Error(`The header is ${header!.join()}.`);
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
