import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineReportTypes } from "@reports/core/report-type";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { hasOpenpyxl, runPythonProgram } from "../formats/readers.fixture.ts";
import { createTestRenderRequest } from "../formats/rows.fixture.ts";
import { createRenderFunction } from "./render-report.ts";

const { definition } = defineReportTypes([
  {
    authority: "REPORT_FIXTURE",
    definition: {
      type: "FIXTURE",
      version: 1,
      title: "Fixture",
      columns: [
        { key: "name", title: "Name", kind: "text" },
        { key: "sent", title: "Sent", kind: "bytes" },
      ],
      rows: {
        kind: "objects",
        async *rows() {
          for (let row = 0; row < 600; row++) yield { name: "small", sent: 5 };
          yield { name: "large", sent: "16500000000000" };
        },
      },
    },
  },
]).reportTypes[0]!;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "largest-sizes-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.runIf(hasOpenpyxl).each([
  ["the largest size", true, "Sent (TB)"],
  ["the first sizes", false, "Sent (B)"],
] as const)("xlsx names the unit of %s if keepRows is %j", async (_, keepRows, title) => {
  const render = createRenderFunction({
    rowSource: { open: () => expect.fail("the row source was asked") },
    catalogue: { find: () => definition },
    csvFormulaGuard: true,
    brand: defaultBrand,
  });
  const spoolPath = join(folder, `${keepRows}.xlsx`);
  const request = createTestRenderRequest(definition.columns, { spoolPath, options: { format: "xlsx", keepRows } });
  await render(request, { signal: new AbortController().signal, onProgress: () => undefined });
  const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
rows = book['Fixture']
print(json.dumps([rows['B1'].value, rows['B602'].value, [c[0].value for c in book['Summary'].iter_rows() if c[1].value == 16500000000000]]))`;
  expect(await runPythonProgram(program, spoolPath)).toEqual([title, 16_500_000_000_000, []]);
});
