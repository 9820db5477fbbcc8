import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCatalogue,
  rowSnapshotPathOf,
  type ObjectRow,
  type RenderRequest,
  type RenderResult,
  type ReportTypeDefinition,
} from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { hasOpenpyxl, hasPdftotext, runPythonProgram } from "../formats/readers.fixture.ts";
import { createTestRenderRequest } from "../formats/rows.fixture.ts";
import { createRenderFunction } from "./render-report.ts";

const stays: readonly ObjectRow[] = [
  { ward: "A", patient: "Ada", cost: "0.10", beds: 2, left: new Date("2026-01-01T23:30:00Z"), tags: ["icu"] },
  { ward: "A", patient: "Bob", cost: "12345678901234567.80", beds: 1, left: new Date("2026-01-01T10:00:00Z") },
  { ward: "A", patient: "Bob", cost: null, beds: null, left: null, tags: ["icu", "x"] },
  { ward: "B", patient: "Cid", cost: "-1", beds: 3, left: null, tags: [] },
  { ward: null, patient: null, cost: null, beds: null, left: null, tags: null },
];

const types = defineReportTypes([
  {
    authority: "REPORT_STAYS",
    definition: {
      type: "FIXTURE",
      version: 1,
      title: "Stays",
      columns: [
        { key: "patient", title: "Patient", kind: "text" },
        { key: "ward", title: "Ward", kind: "text" },
        { key: "cost", title: "Cost", kind: "decimal" },
        { key: "beds", title: "Beds", kind: "integer" },
        { key: "left", title: "Left", kind: "timestamp" },
        { key: "tags", title: "Tags", kind: "list" },
      ],
      groupable: ["ward", "patient"],
      summary: {
        figures: [
          { key: "rows", title: "Rows", kind: "integer", aggregate: { kind: "count" } },
          { key: "cost", title: "Total cost", kind: "decimal", aggregate: { kind: "sum", column: "cost" } },
          { key: "beds", title: "Mean beds", kind: "decimal", aggregate: { kind: "avg", column: "beds" } },
          { key: "last", title: "Last left", kind: "timestamp", aggregate: { kind: "max", column: "left" } },
          { key: "people", title: "Patients", kind: "integer", aggregate: { kind: "distinct", column: "patient" } },
          {
            key: "icu",
            title: "Intensive care",
            kind: "integer",
            aggregate: { kind: "count", where: { column: "tags", in: ["icu"] } },
          },
        ],
        subtotals: ["cost", "beds", "last", "people", "icu"],
      },
      texts: { de: { figures: { cost: "Gesamtkosten" } } },
      rows: {
        kind: "objects",
        async *rows() {
          yield* stays;
        },
      },
    },
  },
]);
const { definition } = types.reportTypes[0]!;

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "subtotals-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function render(
  options: Partial<RenderRequest["options"]>,
  { of = definition, ...given }: { readonly of?: ReportTypeDefinition; readonly keptRowsPath?: string } = {},
): Promise<RenderResult & { readonly path: string }> {
  const path = join(folder, `${files++}.${options.format}`);
  const request = createTestRenderRequest(of.columns, {
    ...given,
    spoolPath: path,
    options: { columns: ["patient"], groupBy: "ward", timezone: "Europe/Berlin", ...options },
  });
  const renderer = createRenderFunction({
    rowSource: { open: () => Promise.reject(new Error("The rows are objects.")) },
    catalogue: { find: () => of },
    csvFormulaGuard: true,
    brand: defaultBrand,
  });
  const result = await renderer(request, { signal: new AbortController().signal, onProgress: () => undefined });
  return { ...result, path };
}

const jsonOf = ({ path }: { readonly path: string }) =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown> & { readonly subtotals?: { groups: unknown[] } };

const groups = [
  {
    value: "A",
    rows: 3,
    figures: { cost: "12345678901234567.90", beds: "1.500000", last: "2026-01-02T00:30:00+01:00", people: 2, icu: 2 },
  },
  { value: "B", rows: 1, figures: { cost: "-1", beds: "3.000000", last: null, people: 1, icu: 0 } },
  { value: null, rows: 1, figures: { cost: null, beds: null, last: null, people: 0, icu: 0 } },
];

describe("subtotals of groups", () => {
  it("a report type definition with subtotals is valid", () => {
    expect(() => createCatalogue([definition])).not.toThrow();
  });

  it("json lists the subtotals of each group although their columns are left out", async () => {
    const rendered = await render({ format: "json" });
    const document = jsonOf(rendered);
    expect(Object.keys(document)).toEqual(["report", "columns", "rows", "subtotals", "summary"]);
    expect(document["columns"]).toEqual([{ key: "patient", title: "Patient", kind: "text" }]);
    expect(document["rows"]).toEqual(stays.map(({ patient }) => ({ patient })));
    expect(document.subtotals).toEqual({
      groupBy: "ward",
      figures: [
        { key: "cost", title: "Total cost", kind: "decimal" },
        { key: "beds", title: "Mean beds", kind: "decimal" },
        { key: "last", title: "Last left", kind: "timestamp" },
        { key: "people", title: "Patients", kind: "integer" },
        { key: "icu", title: "Intensive care", kind: "integer" },
      ],
      groups,
    });
    expect(rendered.columns.map(({ key }) => key)).toEqual(["patient"]);
    expect(rendered.warnings).toMatchObject([
      { code: "ROWS_NOT_GROUPED", message: expect.stringMatching(/subtotals are listed for each\.$/) },
    ]);
  });

  it("an additional format of a report has the subtotals of its rows", async () => {
    const kept = await render({ format: "csv", keepRows: true });
    const options = { format: "json", columns: ["cost", "patient"] } as const;
    const document = jsonOf(await render(options, { keptRowsPath: rowSnapshotPathOf(kept.path) }));
    expect(document.subtotals?.groups).toEqual(groups);
    expect(document["rows"]).toEqual(stays.map(({ cost, patient }) => ({ cost, patient })));
  });

  it("a row snapshot that lacks a figure's column still gives the other subtotals", async () => {
    const { texts: _, ...others } = definition;
    const old = { ...others, columns: definition.columns.filter(({ key }) => key !== "beds") };
    const summary = { ...old.summary, figures: [], subtotals: [] };
    const kept = await render({ format: "csv", keepRows: true }, { of: { ...old, summary } });
    const document = jsonOf(await render({ format: "json" }, { keptRowsPath: rowSnapshotPathOf(kept.path) }));
    const without = groups.map(({ figures: { beds: __, ...figures }, ...group }) => ({ ...group, figures }));
    expect(document.subtotals?.groups).toEqual(without);
    const pdf = await render({ format: "pdf" }, { keptRowsPath: rowSnapshotPathOf(kept.path) });
    expect(pdf.rowCount).toBe(5);
  });

  it.each(["csv", "ndjson"] as const)("%s has no subtotals and no columns for them", async (format) => {
    const text = readFileSync((await render({ format })).path, "utf8");
    expect(text.match(/\n/g)).toHaveLength(format === "csv" ? 6 : 5);
    expect(text).not.toMatch(/cost|12345/);
  });

  it("a report without groups has no subtotals", async () => {
    expect(Object.keys(jsonOf(await render({ format: "json", groupBy: null })))).not.toContain("subtotals");
  });

  it.runIf(hasPdftotext)(
    "pdf shows subtotals below the heading of each group, with words in the language",
    async () => {
      const { path } = await render({ format: "pdf", language: "de", locale: "de-DE", accessible: true });
      const read = (program: string, ...args: string[]): string =>
        execFileSync(program, args, { encoding: "utf8" }).replaceAll(/[^\S\n]+/g, " ");
      const text = read("pdftotext", "-layout", path, "-");
      expect(text).toMatch(
        /Ward: A 3 Zeilen\s+Gesamtkosten: 12\.345\.678\.901\.234\.567,90 Mean beds: 1,500000 Last left: 02\.01\.2026,? 00:30/,
      );
      expect(text).toMatch(/Ward: B 1 Zeile\s+Gesamtkosten: -1 Mean beds: 3,000000 Last left: –/);
      expect(text).not.toMatch(/^ ?Cost/m);
      expect(read("pdfinfo", "-struct-text", path)).toContain('"Gesamtkosten: 12.345.678.901.234.567,90');
    },
  );

  it.runIf(hasOpenpyxl)("xlsx lists subtotals as typed cells in a separate table", async () => {
    const { path } = await render({ format: "xlsx" });
    const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Subtotals']
rows = [[c.value if c.value is None or isinstance(c.value, (int, float, str)) else str(c.value) for c in row] for row in sheet.iter_rows()]
print(json.dumps([book.sheetnames, rows, [t.ref for t in sheet.tables.values()], [c.value for c in book['Stays']['A']]]))`;
    expect(await runPythonProgram(program, path)).toEqual([
      ["Summary", "Subtotals", "Stays"],
      [
        ["Ward", "Rows", "Total cost", "Mean beds", "Last left (Europe/Berlin)", "Patients", "Intensive care"],
        ["A", 3, "12345678901234567.90", 1.5, "2026-01-02 00:30:00", 2, 2],
        ["B", 1, -1, 3, null, 1, 0],
        ["No ward", 1, null, null, null, 0, 0],
      ],
      ["A1:G4"],
      ["Patient", "Ada", "Bob", "Bob", "Cid"],
    ]);
  });
});
