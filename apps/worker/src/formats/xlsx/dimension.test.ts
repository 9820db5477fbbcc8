import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FoldedRowStream, RowStream } from "@reports/core/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasOpenpyxl, runPythonProgram } from "../readers.fixture.ts";
import { emptySummary, renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx.ts";

const columns = createTestColumns({ name: "text", padding: "text" });

const program = `
import json,re,sys,zipfile,openpyxl
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
fast = openpyxl.load_workbook(sys.argv[1], read_only=True)
usual = openpyxl.load_workbook(sys.argv[1])
def dimension(number):
  found = re.search(rb'<dimension ref="([^"]*)"', archive.read('xl/worksheets/sheet%d.xml' % number))
  return found and found.group(1).decode()
count = lambda sheet: sum(1 for _ in sheet.iter_rows())
print(json.dumps([[dimension(n), count(fast.worksheets[n - 1]), count(usual.worksheets[n - 1])] for n in range(2, len(usual.worksheets) + 1)]))`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "dimension-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function wireOf(rows: number, padding = ""): string {
  return Array.from({ length: rows }, (_, row) => `name ${row},${padding}\n`).join("");
}

async function sheetsOf(
  rows: RowStream | FoldedRowStream,
  limits: Parameters<typeof createXlsxRenderer>[0],
): Promise<unknown> {
  const { bytes } = await renderToBuffer(createXlsxRenderer(limits), rows as RowStream);
  const path = join(folder, "rows.xlsx");
  writeFileSync(path, bytes);
  return runPythonProgram(program, path);
}

describe.runIf(hasOpenpyxl)("the dimension of a sheet of rows", () => {
  it.each([
    ["one sheet", 3, 10, [["A1:B4", 4, 4]]],
    ["no rows", 0, 10, [["A1:B1", 1, 1]]],
    ["a sheet that is exactly full", 4, 4, [["A1:B5", 5, 5]]],
    [
      "several sheets",
      10,
      4,
      [
        ["A1:B5", 5, 5],
        ["A1:B5", 5, 5],
        ["A1:B3", 3, 3],
      ],
    ],
  ])("a sheet states its dimension if the number of rows is known: %s", async (_, count, rowsPerSheet, expected) => {
    const rows = createTestRows(columns, wireOf(count), { rowsTotal: count });
    expect(await sheetsOf(rows, { rowsPerSheet })).toEqual(expected);
  });

  it("a sheet states no dimension if the number of rows is unknown", async () => {
    expect(await sheetsOf(createTestRows(columns, wireOf(3)), { rowsPerSheet: 10 })).toEqual([[null, 4, 4]]);
  });

  it("a sheet states no dimension if its rows are JavaScript objects", async () => {
    const rows = createTestRows(columns, wireOf(3), { rowsTotal: 3 });
    const folded = { ...rows, summary: () => emptySummary, rowsPassed: () => 3 };
    expect(await sheetsOf(folded, { rowsPerSheet: 10 })).toEqual([[null, 4, 4]]);
  });

  it.each([
    ["fewer rows", 10, 7, [[null, 8, 8]]],
    ["more rows", 7, 10, [[null, 11, 11]]],
    ["no rows", 7, 0, [[null, 1, 1]]],
  ])("a sheet loses its dimension if its rows differ from their count: %s", async (_, rowsTotal, count, expected) => {
    const rows = createTestRows(columns, wireOf(count), { rowsTotal });
    expect(await sheetsOf(rows, { rowsPerSheet: 100 })).toEqual(expected);
  });

  it.each([
    [
      "fewer",
      11,
      9,
      [
        ["A1:B5", 5, 5],
        ["A1:B5", 5, 5],
        [null, 2, 2],
      ],
    ],
    [
      "more",
      6,
      9,
      [
        ["A1:B5", 5, 5],
        [null, 5, 5],
        [null, 2, 2],
      ],
    ],
  ])(
    "sheets that are as full as expected keep the dimension if %s rows arrive",
    async (_, rowsTotal, count, expected) => {
      const rows = createTestRows(columns, wireOf(count), { rowsTotal });
      expect(await sheetsOf(rows, { rowsPerSheet: 4 })).toEqual(expected);
    },
  );

  it("the dimension is removed from a sheet that reaches the byte limit", async () => {
    const count = 20_000;
    const rows = createTestRows(columns, wireOf(count, "x".repeat(300)), { rowsTotal: count });
    const sheets = (await sheetsOf(rows, { rowsPerSheet: 100_000, bytesPerSheet: 1024 * 1024 })) as [
      string | null,
      number,
      number,
    ][];
    expect(sheets.length).toBeGreaterThan(1);
    expect(sheets.flatMap(([, fast, usual]) => [fast - usual]).every((difference) => difference === 0)).toBe(true);
    expect(sheets.reduce((sum, [, fast]) => sum + fast - 1, 0)).toBe(count);
    expect(sheets.slice(0, -1).every(([dimension]) => dimension === null)).toBe(true);
    expect(sheets.at(-1)![0]).toBe(`A1:B${sheets.at(-1)![1]}`);
  });
});
