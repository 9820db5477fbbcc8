import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RenderResult } from "@reports/core/report";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { hasPdftotext } from "../formats/readers.fixture.ts";
import {
  createTestColumns,
  createTestDefinition,
  createTestRenderRequest,
  createTestRows,
} from "../formats/rows.fixture.ts";
import { createRenderFunction } from "./render-report.ts";

const columns = createTestColumns({ name: "text", owner: "text", note: "text" });
const definition = createTestDefinition(columns);
/** Number of rows, of about 1 KB each. They exceed the blocks that a pdf keeps in memory before its layout, so the rest goes to a scratch file. */
const rowCount = 6_000;
const note = "words ".repeat(160);
const wire = Array.from({ length: rowCount }, (_, row) => `name-${row},,${note}\n`).join("");

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "empty-columns-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

async function render(rows: string, limits: { maxSpoolBytes?: number; maxRows?: number } = {}): Promise<RenderResult> {
  const request = createTestRenderRequest(columns, {
    spoolPath: join(folder, "file.pdf"),
    ...limits,
    options: { format: "pdf" },
  });
  const renderer = createRenderFunction({
    rowSource: { open: () => Promise.resolve(createTestRows(columns, rows)) },
    catalogue: { find: () => definition },
    csvFormulaGuard: true,
    brand: defaultBrand,
  });
  return renderer(request, { signal: new AbortController().signal, onProgress: () => undefined });
}

test.runIf(hasPdftotext)("a column without any value is left out of a pdf of any length", async () => {
  expect((await render(wire)).rowCount).toBe(rowCount);
  expect(readdirSync(folder)).toEqual(["file.pdf"]);
  const path = join(folder, "file.pdf");
  const text = execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  expect(text).toContain("No row has a value for: Title of owner.");
  expect(text.match(/Title of owner/g)).toHaveLength(1);
  expect(text.match(/^ *name-\d+ +words/gm)).toHaveLength(rowCount);
  expect(text).toContain(`End of the report: ${rowCount.toLocaleString("en")} rows`);
});

test("rows that are read before the layout count towards the limit of scratch space", async () => {
  const limit = render(wire, { maxSpoolBytes: 1_000_000 });
  await expect(limit).rejects.toMatchObject({ code: "SPOOL_LIMIT_EXCEEDED" });
  expect(readdirSync(folder)).toEqual([]);
  const { sizeBytes } = await render(wire);
  rmSync(join(folder, "file.pdf"));
  const aheadBytes = wire.length - 17 * 256 * 1024;
  await expect(render(wire, { maxSpoolBytes: sizeBytes + aheadBytes })).rejects.toMatchObject({
    code: "SPOOL_LIMIT_EXCEEDED",
    message: expect.stringContaining("which they may take together"),
  });
});

test("a report with too many rows ends before all rows are read ahead", async () => {
  await expect(render(wire, { maxRows: 100, maxSpoolBytes: 1_000_000 })).rejects.toMatchObject({
    code: "REPORT_TOO_LARGE",
  });
  expect(readdirSync(folder)).toEqual([]);
});
