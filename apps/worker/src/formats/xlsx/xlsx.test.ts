import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFullTestRun } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultBrand, type Brand } from "../../brand/brand.ts";
import { createPalette } from "../../brand/palette.ts";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { hasOpenpyxl, hasOpenxmlAudit, runPythonProgram } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
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
    const kinds = createTestColumns({ a: "text", b: "text", padding: "text" });
    const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet }), createTestRows(kinds, rows));
    const path = join(folder, "sheets.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
print(json.dumps([[s.title, next((t.autoFilter.ref for t in s.tables.values()), s.auto_filter.ref), s.max_row, s.cell(2, 1).value, s.cell(s.max_row, 2).value] for s in book.worksheets[1:]]))`;
    return runPythonProgram(program, path);
  }

  it.runIf(hasOpenpyxl)("xlsx continues in the next sheet if a sheet has its maximum of rows", async () => {
    expect(await sheetsOf(10, 4)).toEqual([
      ["Fixture", "A1:C5", 5, "name 0", "line\n3"],
      ["Fixture 2", "A1:C5", 5, "name 4", "line\n7"],
      ["Fixture 3", "A1:C3", 3, "name 8", "line\n9"],
    ]);
    expect(await sheetsOf(8, 4)).toHaveLength(2);
    expect(await sheetsOf(0, 4)).toEqual([["Fixture", "A1:C1", 1, null, null]]);
  });

  it.runIf(hasOpenpyxl)("xlsx continues in the next sheet if the XML of a sheet reaches its byte limit", async () => {
    const count = isFullTestRun ? 20_000 : 6_000;
    const rows = Array.from({ length: count }, (_, row) => `name ${row},${"x".repeat(300)}\n`).join("");
    const renderer = createXlsxRenderer({ rowsPerSheet: 100_000, bytesPerSheet: 1024 * 1024 });
    const { bytes } = await renderToBuffer(renderer, createTestRows(createTestColumns({ a: "text", b: "text" }), rows));
    const path = join(folder, "full.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1], read_only=True)
print(json.dumps([[row[0] for row in sheet.iter_rows(min_row=2, values_only=True)] for sheet in book.worksheets[1:]]))`;
    const sheets = (await runPythonProgram(program, path)) as string[][];
    expect(sheets.length).toBeGreaterThan(1);
    expect(sheets.flat()).toEqual(Array.from({ length: count }, (_, row) => `name ${row}`));
  });

  it.runIf(hasOpenpyxl)("xlsx omits chart points that cannot be drawn", async () => {
    const chart = {
      key: "load",
      title: "Load",
      series: [{ label: "now", tone: "neutral" }],
      points: [
        { label: "eu", tone: "neutral", values: [Number.NaN] },
        { label: "us", tone: "neutral", values: [2] },
        { label: "ap", tone: "neutral", values: [Number.POSITIVE_INFINITY] },
      ],
      omitted: [],
    } as const;
    const rows = createTestRows(createTestColumns({ a: "text" }), "y\n", {
      summary: { figures: [], charts: [chart], attention: null },
    });
    const { bytes } = await renderToBuffer(createXlsxRenderer({ rowsPerSheet: 10 }), rows);
    const path = join(folder, "points.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
series = openpyxl.load_workbook(sys.argv[1])['Summary']._charts[0].series[0]
print(json.dumps([[point.idx, point.v] for point in series.val.numRef.numCache.pt]))`;
    expect(await runPythonProgram(program, path)).toEqual([[1, 2]]);
  });

  it.runIf(hasOpenpyxl)("xlsx keeps the order of rows that threads converted, across sheets", async () => {
    expect(await sheetsOf(20_000, 15_000, "x".repeat(300))).toEqual([
      ["Fixture", "A1:C15001", 15_001, "name 0", "line\n14999"],
      ["Fixture 2", "A1:C5001", 5001, "name 15000", "line\n19999"],
    ]);
  });

  it.runIf(hasOpenpyxl)("xlsx begins with a Summary sheet of facts, figures and charts", async () => {
    const columns = createTestColumns({ a: "text", when: "timestamp" });
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
      createTestRows(columns, "y,\n", { summary }),
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
print(json.dumps({'sheets': book.sheetnames, 'links': [[cell.value, cell.hyperlink.location] for row in sheet.iter_rows() for cell in row if cell.hyperlink], 'title': sheet['A1'].value, 'created': book.properties.title, 'people': [book.properties.creator, book.properties.lastModifiedBy], 'pairs': {r[0]: r[1].isoformat() if hasattr(r[1], 'isoformat') else r[1] for r in sheet.iter_rows(values_only=True) if r[0]}, 'charts': [[s.val.numRef.f, s.cat.strRef.f, s.tx.strRef.f, [c.value for row in sheet[s.val.numRef.f.split('!')[1].replace('$', '')] for c in row]] for s in chart.series], 'subtitle': chart.title.tx.rich.p[1].r[0].t, 'attention': [[str(c) for c in r] for r in book.worksheets[1].iter_rows(values_only=True)]}))`;
    expect(await runPythonProgram(program, path)).toMatchObject({
      sheets: ["Summary", "Needs action now", "Fixture"],
      links: [
        ["Needs action now", "'Needs action now'!A1"],
        ["Fixture", "'Fixture'!A1"],
      ],
      title: "All <domains>",
      created: "All <domains>",
      people: ["Report Gateway", null],
      pairs: {
        "Report type": "Fixture (FIXTURE)",
        "Requested by": "alice",
        "Requested at": "2026-11-21T02:00:00",
        "Data as of": "2026-11-21T02:02:03",
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
        "Not shown: no region (1,087)": null,
      },
      subtitle: "Not shown: no region (1,087)",
      charts: [
        [expect.stringMatching(/^'Summary'!\$B\$\d+:\$B\$\d+$/), expect.anything(), expect.anything(), [3, 2]],
        [expect.stringMatching(/^'Summary'!\$C\$\d+:\$C\$\d+$/), expect.anything(), expect.anything(), [1, 0]],
      ],
      attention: [
        ["Title of a", "Title of when (Europe/Berlin)"],
        ["x", "2026-11-20 00:00:00"],
        ["None", "None"],
        ["1 of 5 are shown here; the rows that follow hold all of them.", "None"],
      ],
    });
  });

  it.runIf(hasOpenpyxl)("xlsx colours the values of an enumeration by their tones", async () => {
    const columns = [
      {
        key: "a",
        title: "A",
        kind: "text",
        width: 9,
        titles: { DOWN: "Not running" },
        tones: { DOWN: "bad", 'so "so"': "warn" },
      },
    ] as const;
    const { bytes } = await renderToBuffer(
      createXlsxRenderer({ rowsPerSheet: 10 }),
      createTestRows(columns, "DOWN\nUP\n"),
    );
    const path = join(folder, "tones.xlsx");
    writeFileSync(path, bytes);
    const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Fixture']
print(json.dumps([[str(c.sqref), [[r.formula[0], r.dxf.font.color.rgb] for r in c.rules]] for c in sheet.conditional_formatting]))`;
    expect(await runPythonProgram(program, path)).toEqual([
      [
        "A2:A3",
        [
          ['"Not running"', `FF${defaultBrand.palette.toneText.bad}`],
          ['"so ""so"""', `FF${defaultBrand.palette.toneText.warn}`],
        ],
      ],
    ]);
  });

  it("xlsx rejects a broken block that a thread converts", async () => {
    const rows = `${"x".repeat(100)},y\n`.repeat(20_000);
    const rendering = renderToBuffer(
      createXlsxRenderer({ rowsPerSheet: 1_000_000 }),
      createTestRows(createTestColumns({ a: "text", b: "text" }), `${rows}short\n`),
    );
    await expect(rendering).rejects.toBeInstanceOf(BrokenRowsError);
  });

  it("xlsx shortens texts that no cell can hold, and warns", async () => {
    const renderer = createXlsxRenderer({ rowsPerSheet: 10 });
    const kinds = createTestColumns({ a: "text" });
    const fits = await renderToBuffer(renderer, createTestRows(kinds, `${"🙂".repeat(16_383)}x\n`));
    expect(fits.warnings).toEqual([]);
    const longer = await renderToBuffer(renderer, createTestRows(kinds, `${"🙂".repeat(16_384)}\n`));
    expect(longer.warnings).toEqual([
      { code: "TEXTS_SHORTENED", message: expect.stringContaining("1 cell holds more than the 32767 characters") },
    ]);
  });

  it("xlsx gives the same bytes for the same rows", async () => {
    const render = () =>
      renderToBuffer(
        createXlsxRenderer({ rowsPerSheet: 1000 }),
        createTestRows(createTestColumns({ a: "text" }), "x\ny\n"),
      );
    expect((await render()).bytes.equals((await render()).bytes)).toBe(true);
  });

  const brand: Brand = {
    name: "Acme & Söhne",
    footer: "24 hours & confidential",
    logo: {
      widthPx: 1,
      heightPx: 1,
      png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
      rgb: "",
      alpha: null,
    },
    palette: createPalette("FFB000"),
  };
  const columns = [
    { key: "host", title: "Host", kind: "text", width: 20 },
    { key: "state", title: "State", kind: "text", width: 8, titles: { WARN: "Warning" }, tones: { WARN: "warn" } },
    { key: "again", title: "state", kind: "text", width: 8 },
    { key: "when", title: "When", kind: "timestamp", width: 10 },
    { key: "sent", title: "Sent", kind: "bytes", width: 10 },
    { key: "issues", title: "Issues", kind: "list", width: 30, titles: { OLD: "Too old" } },
    { key: "much", title: "Much", kind: "text", width: 200 },
  ] as const;
  const row = `a,WARN,x,2026-11-21 15:02:03+01,1500000,"{OLD,NEW}",${"long text ".repeat(25)}\n`;
  const summary = {
    figures: [{ key: "sent", title: "Sent in all", kind: "bytes", value: "16500000000000", tone: "neutral" }],
    charts: [
      {
        key: "c",
        title: "C",
        series: [{ label: "C", tone: "neutral" }],
        points: [{ label: "p", tone: "warn", values: [1] }],
        omitted: [],
      },
    ],
    attention: { title: "Needs action", columns, rows: [["a", "WARN", null, null, "1", null, "x"]], total: 1087 },
  } as const;

  async function renderAll(rows: number, given: Parameters<typeof renderToBuffer>[2] = {}): Promise<string> {
    const { bytes } = await renderToBuffer(
      createXlsxRenderer({ rowsPerSheet: 4 }),
      createTestRows(columns, row.repeat(rows), rows === 0 ? {} : { summary }),
      given,
    );
    const path = join(folder, `all-${rows}.xlsx`);
    writeFileSync(path, bytes);
    return path;
  }

  it.runIf(hasOpenxmlAudit)("xlsx conforms to Office Open XML with any rows and brand", async () => {
    const branded = { brand, options: { locale: "ar-EG" }, title: "تقرير 24 & <more>" } as const;
    const paths = [await renderAll(0), await renderAll(1), await renderAll(9, branded)];
    const program = `
import json,sys
from openxml_audit import OpenXmlValidator
results = [OpenXmlValidator().validate(path) for path in sys.argv[1].split('|')]
print(json.dumps([[r.is_valid, [e.description for e in r.errors if 'inline-string' not in e.description]] for r in results]))`;
    expect(await runPythonProgram(program, paths.join("|"))).toEqual(paths.map(() => [true, []]));
  });

  it.runIf(hasOpenpyxl)("xlsx is set up for reading and printing, in the report's brand and locale", async () => {
    const options = { locale: "de-DE", timezone: "Europe/Berlin", paper: "LETTER" } as const;
    const program = `
import json,sys,zipfile,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
sheet = book['Fixture']
print(json.dumps({
  'freeze': sheet.freeze_panes,
  'tables': [[[c.name for c in t.tableColumns], t.ref, t.tableStyleInfo.name] for s in book for t in s.tables.values()],
  'headers': [c.value for c in sheet[1]], 'cells': [[c.value if not c.is_date else c.value.isoformat(), c.number_format] for c in sheet[2]][1:6],
  'heights': [sheet.row_dimensions[2].height, sheet.row_dimensions[3].height],
  'print': [sheet.print_title_rows, sheet.print_title_cols, sheet.page_setup.paperSize, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight],
  'texts': [sheet.oddHeader.left.text, sheet.oddHeader.right.text, sheet.oddFooter.left.text, sheet.oddFooter.center.text, sheet.oddFooter.right.text],
  'header': [sheet['A1'].fill.fgColor.rgb, sheet['A1'].font.color.rgb], 'media': [name for name in zipfile.ZipFile(sys.argv[1]).namelist() if 'media' in name],
  'summary': {r[0].value: [str(r[1].value), r[1].number_format] for r in book['Summary'].iter_rows(max_col=2)}}))`;
    const names = ["Host", "State", "state (2)", "When (Europe/Berlin)", "Sent (MB)", "Issues", "Much"];
    const namesOfAction = names.with(4, "Sent (B)");
    expect(await runPythonProgram(program, await renderAll(5, { brand, options }))).toMatchObject({
      freeze: "B2",
      tables: [
        [namesOfAction, "A1:G2", "Report"],
        [names, "A1:G5", "Report"],
        [names, "A1:G2", "Report"],
      ],
      headers: names,
      cells: [
        ["Warning", "General"],
        ["x", "General"],
        ["2026-11-21T15:02:03", "dd\\.mm\\.yyyy\\,\\ hh:mm:ss"],
        [1_500_000, "#,##0.0,,"],
        ["Too old; NEW", "General"],
      ],
      // In a column of width 80, 92 letters fit on a line. So a text of 250 characters needs three lines.
      heights: [45, 45],
      print: ["$1:$1", "$A:$A", 1, 1, 0],
      texts: [
        "Fixture",
        "Acme && Söhne",
        "24 hours && confidential",
        "Data as of 21. November 2026, 02:02 (Europe/Berlin)",
        "Page &P of &N",
      ],
      header: ["FFFFB000", "FF1C2633"],
      media: ["xl/media/logo.png"],
      summary: {
        "Data as of": ["2026-11-21 02:02:03", "dd\\.mm\\.yyyy\\,\\ hh:mm:ss"],
        "Sent in all": ["16500000000000", '#,##0.0,,,,\\ "TB"'],
      },
    });
  });
});
