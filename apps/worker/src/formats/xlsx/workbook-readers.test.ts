import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes, type FoldedRowStream, type ReportTypeDefinition, type RowStream } from "@reports/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateRows } from "../../check-types/generate-rows.ts";
import { openObjectRows } from "../../wire/object-rows.ts";
import { renderToBuffer, testColumns, testDefinition, testRows } from "../rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx.ts";
import { workbookReaders, type ReadCell, type ReadWorkbook, type WorkbookReader } from "./workbook-readers.fixture.ts";

const rowsPerSheet = 27;
const rowCount = 60;
const timezone = "Europe/Berlin";

const columns = testColumns({
  text: "text",
  integer: "integer",
  bigint: "bigint",
  decimal: "decimal",
  ratio: "ratio",
  bytes: "bytes",
  boolean: "boolean",
  timestamp: "timestamp",
  date: "date",
  list: "list",
});

/** Rows in the wire form, and the cells that a reader must find. */
const extremes: readonly (readonly [string, readonly ReadCell[]])[] = [
  [
    `plain,1,2,12.500000000000000000,0.5,1024,t,2026-11-25 12:00:00+01,2026-11-25,"{a,b}"`,
    ["plain", 1, 2, 12.5, 0.5, 1024, "Yes", "2026-11-25T12:00:00.000", "2026-11-25T00:00:00.000", "a; b"],
  ],
  [",,,,,,,,,", []],
  [
    `" _x0041_ ",-5,9007199254740993,-0.0000000000000000000001,1.000,0,f,2026-11-25 23:59:59.999999+01,1900-03-01,{}`,
    [" _x0041_ ", -5, "9007199254740993", -1e-22, 1, 0, "No", "2026-11-25T23:59:59.000", "1900-03-01T00:00:00.000"],
  ],
  [
    `=1+1,0,-9223372036854775808,100000000000000000000.00,0.1234567890123456,999999999999,t,9999-12-31 23:59:59.999999+01,9999-12-31,"{""x y"",NULL}"`,
    [
      "=1+1",
      0,
      "-9223372036854775808",
      1e20,
      "0.1234567890123456",
      999_999_999_999,
      "Yes",
      "9999-12-31T23:59:59.000",
      "9999-12-31T00:00:00.000",
      "x y; ",
    ],
  ],
  [
    `"日本語 <&> ""quoted"" 🙂",7,,NaN,-0.0,1,f,infinity,0044-03-15 BC,"{""_x000D_""}"`,
    ['日本語 <&> "quoted" 🙂', 7, null, "NaN", 0, 1, "No", "infinity", "0044-03-15 BC", "_x000D_"],
  ],
  [`,,,1e+308,1e-310,,,,,`, [null, null, null, "1e+308", "1e-310"]],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "workbook-readers-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function writeWorkbook(rows: RowStream | FoldedRowStream, definition: ReportTypeDefinition): Promise<string> {
  const renderer = createXlsxRenderer({ rowsPerSheet });
  const path = join(folder, `${definition.type}.xlsx`);
  const { bytes } = await renderToBuffer(renderer, rows as RowStream, { definition, options: { timezone } });
  writeFileSync(path, bytes);
  return path;
}

async function writeExtremes(): Promise<string> {
  // Over several sheets: each one counts its rows from 1.
  const wire = Array.from({ length: rowCount }, (_, at) => extremes[at % extremes.length]![0]);
  return writeWorkbook(testRows(columns, `${wire.join("\n")}\n`), testDefinition(columns));
}

/** A report of a built-in type out of generated rows, with its figures, its charts and what needs action. */
async function writeGenerated(definition: ReportTypeDefinition): Promise<string> {
  const opened = await openObjectRows(
    { kind: "objects", rows: () => generateRows(definition.columns, rowCount) },
    {
      definition: { ...definition, where: [] },
      columns: definition.columns,
      searchParam: {},
      sort: [],
      timezone,
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof openObjectRows>[1],
    new Date("2026-11-25T11:00:00Z"),
  );
  return writeWorkbook(opened, definition);
}

/** A workbook as far as a reader can tell it, with the cells where `like` has them. */
function comparable(book: ReadWorkbook, like: ReadWorkbook, reader: WorkbookReader): unknown {
  const { showsTextOnly = false, decodesTwice = false } = reader;
  return Object.entries(like).map(([name, rows]) => [
    name,
    (showsTextOnly ? rows : (book[name] ?? [])).map((row, at) =>
      row.map((cell, column) => {
        const found = book[name]?.[at]?.[column] ?? null;
        if (showsTextOnly) return textOf(found, cell);
        return decodesTwice && typeof found === "string" ? found.replaceAll("&amp;", "&") : found;
      }),
    ),
  ]);
}

/** What a reader that shows text finds: how it writes a number or a moment depends on its settings. Its cells hold no CR. */
function textOf(found: ReadCell, like: ReadCell): ReadCell | boolean {
  if (typeof like === "number" || /^\d{4}-\d\d-\d\dT/.test(String(like))) return found !== null;
  return found === null ? null : String(found).replaceAll(/\r\n?/g, "\n");
}

describe.each(Object.entries(workbookReaders))("read by %s", (_, reader) => {
  it.runIf(reader.isThere)("a workbook of extreme values has every value in its place", async () => {
    const book = await reader.read(await writeExtremes());
    const cells = Array.from({ length: rowCount }, (_, at) => extremes[at % extremes.length]![1]);
    const header = columns.map(({ title }) => title);
    const expected: ReadWorkbook = {
      Fixture: [header, ...cells.slice(0, rowsPerSheet)],
      "Fixture 2": [header, ...cells.slice(rowsPerSheet, 2 * rowsPerSheet)],
      "Fixture 3": [header, ...cells.slice(2 * rowsPerSheet)],
    };
    expect(comparable(book, expected, reader)).toEqual(comparable(expected, expected, reader));
    expect(Object.keys(book)).toHaveLength(4);
  });

  it.runIf(reader.isThere).each(builtInReportTypes.map((definition) => [definition.type, definition] as const))(
    "a workbook of the type %s has the cells that SheetJS finds",
    async (_, definition) => {
      const path = await writeGenerated(definition);
      const expected = await workbookReaders["SheetJS"]!.read(path);
      expect(Object.keys(expected).length).toBeGreaterThan(3);
      const book = await reader.read(path);
      expect(comparable(book, expected, reader)).toEqual(comparable(expected, expected, reader));
    },
  );
});
