import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { hasOpenpyxl, python } from "../readers.fixture.ts";
import { renderToBuffer, testColumns, testRows } from "../rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "xlsx-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("xlsx", () => {
  async function sheetsOf(rowCount: number, rowsPerSheet: number, padding = ""): Promise<unknown> {
    const rows = Array.from({ length: rowCount }, (_, row) => `name ${row},"line\n${row}",${padding}\n`).join("");
    const kinds = testColumns({ a: "text", b: "text", padding: "text" });
    const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet }), testRows(kinds, rows));
    const path = join(folder, "sheets.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps([[s.title, s.auto_filter.ref, s.max_row, s.cell(2, 1).value, s.cell(s.max_row, 2).value] for s in book.worksheets[1:]]))`;
    return python(program, path);
  }

  it.runIf(hasOpenpyxl)("goes on in the next sheet where one is full", async () => {
    expect(await sheetsOf(10, 4)).toEqual([
      ["Fixture", "A1:C5", 5, "name 0", "line\n3"],
      ["Fixture 2", "A1:C5", 5, "name 4", "line\n7"],
      ["Fixture 3", "A1:C3", 3, "name 8", "line\n9"],
    ]);
    expect(await sheetsOf(8, 4)).toHaveLength(2);
    expect(await sheetsOf(0, 4)).toEqual([["Fixture", "A1:C1", 1, null, null]]);
  });

  it.runIf(hasOpenpyxl)("keeps the order of rows that went through threads, across sheets", async () => {
    expect(await sheetsOf(20_000, 15_000, "x".repeat(300))).toEqual([
      ["Fixture", "A1:C15001", 15_001, "name 0", "line\n14999"],
      ["Fixture 2", "A1:C5001", 5001, "name 15000", "line\n19999"],
    ]);
  });

  it.runIf(hasOpenpyxl)(
    "has a Summary sheet first, with parameters, figures and charts that refer to its cells",
    async () => {
      const columns = testColumns({ a: "text", when: "timestamp" });
      const summary = {
        figures: [
          { key: "n", title: "Domains", kind: "bigint", value: "1234", tone: "neutral" },
          { key: "r", title: "Error rate", kind: "ratio", value: "0.05", tone: "bad" },
          { key: "none", title: "Nothing", kind: "decimal", value: null, tone: "neutral" },
        ],
        charts: [
          {
            key: "health",
            title: "Health <by> region",
            series: [
              { label: "UP", tone: "good" },
              { label: "DOWN", tone: "bad" },
            ],
            points: [
              { label: "eu", tone: "neutral", values: [3, 1] },
              { label: "us", tone: "neutral", values: [2, 0] },
            ],
            omitted: [{ label: "no region", value: 1087 }],
          },
        ],
        attention: { title: "Needs action: now?", columns, rows: [["x", "2026-11-20 00:00:00+00"]], total: 5 },
      } as const;
      const { bytes } = await renderToBuffer(
        createXlsxRenderer({ rowsPerSheet: 10 }),
        testRows(columns, "y,\n", { summary }),
        {
          title: "All <domains>",
          searchParam: { health: ["DEGRADED", "DOWN"] },
          options: { sort: ["-when"], timezone: "Europe/Berlin" },
        },
      );
      const path = join(folder, "summary.xlsx");
      writeFileSync(path, bytes);
      const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Summary']
chart = sheet._charts[0]
print(json.dumps({'sheets': book.sheetnames, 'title': sheet['A1'].value, 'created': book.properties.title, 'people': [book.properties.creator, book.properties.lastModifiedBy], 'pairs': {r[0]: r[1] for r in sheet.iter_rows(values_only=True) if r[0]}, 'charts': [[s.val.numRef.f, s.cat.strRef.f, s.tx.strRef.f, [c.value for row in sheet[s.val.numRef.f.split('!')[1].replace('$', '')] for c in row]] for s in chart.series], 'subtitle': chart.title.tx.rich.p[1].r[0].t, 'attention': [[str(c) for c in r] for r in book.worksheets[1].iter_rows(values_only=True)]}))`;
      expect(python(program, path)).toMatchObject({
        sheets: ["Summary", "Needs action  now", "Fixture"],
        title: "All <domains>",
        created: "All <domains>",
        people: ["Report Gateway", null],
        pairs: {
          "Report type": "FIXTURE",
          "Requested by": "alice",
          "Requested at": "2026-11-21 02:00:00+01:00",
          "Data as of": "2026-11-21 02:02:03+01:00",
          "Time zone": "Europe/Berlin",
          Filters: "Health is DEGRADED or DOWN",
          "Sorted by": "Title of when (descending)",
          Rows: 1,
          Domains: 1234,
          "Error rate": 0.05,
          Nothing: null,
          "Needs action: now?": 5,
          eu: 3,
          us: 2,
          "Not shown: no region: 1087": null,
        },
        subtitle: "Not shown: no region: 1087",
        charts: [
          [expect.stringMatching(/^'Summary'!\$B\$\d+:\$B\$\d+$/), expect.anything(), expect.anything(), [3, 2]],
          [expect.stringMatching(/^'Summary'!\$C\$\d+:\$C\$\d+$/), expect.anything(), expect.anything(), [1, 0]],
        ],
        attention: [
          ["Title of a", "Title of when"],
          ["x", "2026-11-20 00:00:00"],
          ["None", "None"],
          ["1 of 5 are shown here; the rows that follow hold all of them.", "None"],
        ],
      });
    },
  );

  it.runIf(hasOpenpyxl)("colours the values of an enumeration by their tones", async () => {
    const columns = [
      { key: "a", title: "A", kind: "text", width: 9, tones: { DOWN: "bad", 'so "so"': "warn" } },
    ] as const;
    const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet: 10 }), testRows(columns, "DOWN\nUP\n"));
    const path = join(folder, "tones.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Fixture']
print(json.dumps([[str(c.sqref), [[r.formula[0], r.dxf.font.color.rgb] for r in c.rules]] for c in sheet.conditional_formatting]))`;
    expect(python(program, path)).toEqual([
      [
        "A2:A3",
        [
          ['"DOWN"', "FFC62828"],
          ['"so ""so"""', "FFB26A00"],
        ],
      ],
    ]);
  });

  it("says so when a block in a thread is broken", async () => {
    const rows = `${"x".repeat(100)},y\n`.repeat(20_000);
    const rendering = renderToBuffer(
      createXlsxRenderer({ rowsPerSheet: 1_000_000 }),
      testRows(testColumns({ a: "text", b: "text" }), `${rows}short\n`),
    );
    await expect(rendering).rejects.toBeInstanceOf(BrokenRowsError);
  });

  it("shortens what no cell can hold, and says so in a warning", async () => {
    const renderer = createXlsxRenderer({ rowsPerSheet: 10 });
    const kinds = testColumns({ a: "text" });
    const fits = await renderToBuffer(renderer, testRows(kinds, `${"🙂".repeat(16_383)}x\n`));
    expect(fits.warnings).toEqual([]);
    const longer = await renderToBuffer(renderer, testRows(kinds, `${"🙂".repeat(16_384)}\n`));
    expect(longer.warnings).toEqual([
      { code: "TEXTS_SHORTENED", message: expect.stringContaining("1 cell holds more than the 32767 characters") },
    ]);
  });

  it("gives the same bytes for the same rows", async () => {
    const render = () =>
      renderToBuffer(createXlsxRenderer({ rowsPerSheet: 1000 }), testRows(testColumns({ a: "text" }), "x\ny\n"));
    expect((await render()).bytes.equals((await render()).bytes)).toBe(true);
  });
});
