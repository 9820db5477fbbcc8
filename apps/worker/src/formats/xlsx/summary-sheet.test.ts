import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasOpenpyxl, python } from "../readers.fixture.ts";
import { renderToBuffer, testColumns, testRows } from "../rows.fixture.ts";
import { xlsxRenderer } from "./xlsx.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "summary-sheet-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.runIf(hasOpenpyxl).each([
  ["Domains and certificates", null, [], 28],
  ["تقرير المجالات (EU) 2026", "right", ["A1:F1"], 28],
  [`${"דומיינים ".repeat(13)}ב`, "right", ["A1:F1"], 56],
])("sets the title %j as it is read", async (title, alignment, merged, height) => {
  const { bytes } = await renderToBuffer(xlsxRenderer, testRows(testColumns({ a: "text" }), "x\n"), { title });
  const path = join(folder, "title.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Summary']
cell = sheet['A1']
print(json.dumps([cell.value, cell.alignment.horizontal, cell.alignment.readingOrder, [str(r) for r in sheet.merged_cells.ranges], sheet.row_dimensions[1].height]))`;
  const readingOrder = alignment === null ? 0 : 2;
  expect(python(program, path)).toEqual([title, alignment, readingOrder, merged, height]);
});
