import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtInReportTypes } from "@reports/core/report";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hasOpenpyxl, runPythonProgram } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
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
])("the Summary sheet aligns the title %j by its direction", async (title, alignment, merged, height) => {
  const { bytes } = await renderToBuffer(xlsxRenderer, createTestRows(createTestColumns({ a: "text" }), "x\n"), {
    title,
  });
  const path = join(folder, "title.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Summary']
cell = sheet['A1']
print(json.dumps([cell.value, cell.alignment.horizontal, cell.alignment.readingOrder, [str(r) for r in sheet.merged_cells.ranges], sheet.row_dimensions[1].height]))`;
  const readingOrder = alignment === null ? 0 : 2;
  expect(await runPythonProgram(program, path)).toEqual([title, alignment, readingOrder, merged, height]);
});

const definition = builtInReportTypes.find(({ type }) => type === "PROXY")!;
const regions = {
  key: "healthByRegion",
  title: "Health by region",
  series: [{ label: "Down", tone: "bad" }],
  points: [],
  omitted: [],
} as const;
const busiest = {
  key: "topProxies",
  title: "Busiest proxies (requests 24 h)",
  series: [{ label: "Busiest proxies (requests 24 h)", tone: "neutral" }],
  points: [{ label: "edge-1", tone: "neutral", values: [9_007_199_254_740_000] }],
  omitted: [],
} as const;

const meanBytes = {
  key: "bytesByRegion",
  title: "Mean bytes",
  series: [{ label: "Mean bytes", tone: "neutral" }],
  points: [{ label: "eu", tone: "neutral", values: [16_500_000.333333] }],
  omitted: [],
} as const;
const meanLatency = {
  ...meanBytes,
  key: "latency",
  title: "Mean latency",
  points: [{ ...meanBytes.points[0], values: [0.4] }],
};
const charted = {
  ...definition,
  summary: {
    ...definition.summary,
    charts: [
      ...definition.summary.charts,
      {
        key: "bytesByRegion",
        title: "Mean bytes",
        categories: { column: "region", top: 3 },
        measure: { kind: "avg", column: "bytesOut24h" },
      } as const,
    ],
  },
};

it.runIf(hasOpenpyxl)("charts in the Summary sheet say what their numbers are, or that there are none", async () => {
  const summary = {
    figures: [
      { key: "rate", title: "5xx rate", kind: "ratio", value: "0.024891", tone: "neutral" },
      { key: "latest", title: "Latest check", kind: "timestamp", value: "2026-11-21 01:02:03+01", tone: "neutral" },
      { key: "none", title: "First expiry", kind: "date", value: null, tone: "neutral" },
    ],
    charts: [regions, busiest, meanBytes, meanLatency],
    attention: null,
  } as const;
  const rows = createTestRows(definition.columns, `${",".repeat(definition.columns.length - 1)}\n`, { summary });
  const { bytes } = await renderToBuffer(xlsxRenderer, rows, { definition: charted });
  const path = join(folder, "charts.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Summary']
print(json.dumps([[str(c.value) for c in row if c.value] + ([row[1].number_format] if row[0].value in ('5xx rate', 'Latest check', 'eu') else []) for row in sheet.iter_rows()]))`;
  const lines = ((await runPythonProgram(program, path)) as unknown[][]).map((cells) => cells.join(" | "));
  expect(lines).toContain("5xx rate | 0.024891 | 0.00%");
  expect(lines.find((line) => line.startsWith("Latest check"))).toMatch(
    /^Latest check \| 2026-11-21 01:02:03 \| .*h.*m/,
  );
  expect(lines).toContain("First expiry");
  expect(lines.filter((line) => line.startsWith("eu"))).toEqual([
    String.raw`eu | 16500000.333333 | #,##0.0,,\ "MB"`,
    "eu | 0.4 | General",
  ]);
  const from = lines.indexOf("Health by region");
  expect(lines.slice(from, from + 6)).toEqual([
    "Health by region",
    "Nothing to show.",
    "",
    "Busiest proxies (requests 24 h)",
    "Requests 24 h",
    "edge-1 | 9007199254740000",
  ]);
});

it.runIf(hasOpenpyxl).each([
  ["x,LATE\n", ["Meaning of words", "State", "Open | Nobody has paid.", "Overdue | The due date has passed."]],
  ["", []],
])("the Summary sheet explains the words of the rows %j", async (wire, expected) => {
  const state = {
    key: "state",
    title: "State",
    kind: "text",
    width: 10,
    titles: { OPEN: "Open", LATE: "Overdue", PAID: "Paid" },
    meanings: { OPEN: "Nobody has paid.", LATE: "The due date has passed." },
  } as const;
  const { bytes } = await renderToBuffer(
    xlsxRenderer,
    createTestRows([...createTestColumns({ a: "text" }), state], wire),
  );
  const path = join(folder, "meanings.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
sheet = openpyxl.load_workbook(sys.argv[1])['Summary']
print(json.dumps([' | '.join([str(c.value) for c in row if c.value]) for row in sheet.iter_rows()]))`;
  const lines = (await runPythonProgram(program, path)) as string[];
  const at = lines.indexOf("Meaning of words");
  expect(at < 0 ? [] : lines.slice(at)).toEqual(expected);
});
