import { parseBarValues, parseOmittedValue, type Chart } from "@reports/core/report";
import { read, utils } from "xlsx";
import { expect, test } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { jsonRenderer } from "./json/json.ts";
import { createCellFormatContext } from "./pdf/cell-formatter.ts";
import { PdfCanvas } from "./pdf/pdf-canvas.ts";
import { describeChart, splitChartByBarCount, drawChart } from "./pdf/charts.ts";
import { FontSet } from "./pdf/font-set.ts";
import { renderAndReadPdf } from "./pdf/rendered-pdf.fixture.ts";
import { toPdfPalette } from "./pdf/pdf-palette.ts";
import { PdfTextPen } from "./pdf/pdf-text-pen.ts";
import { hasPdftotext } from "./readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "./rows.fixture.ts";
import { xlsxRenderer } from "./xlsx/xlsx.ts";

const conventions = createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" });

/** The value that Postgres computes for each bar; null if no row has a value. */
const computed = { none: null, nan: "NaN", most: "Infinity", least: "-Infinity", below: "-3", zero: "0", two: "2" };
const shownBars = Object.keys(computed).filter((label) => label !== "zero");
const chart: Chart = {
  key: "load",
  title: "Load",
  series: [{ label: "now", tone: "neutral" }],
  points: Object.entries(computed).map(([label, text]) => ({ label, tone: "neutral", ...parseBarValues([text]) })),
  omitted: [{ label: "no region", ...parseOmittedValue(null) }],
};
const figure = { key: "sum", title: "Sum", kind: "decimal", value: null, tone: "neutral" } as const;
const summary = { figures: [figure], charts: [chart], attention: null };
const columns = createTestColumns({ a: "text" });

function readChartXml(workbook: Buffer): string {
  const book = read(workbook, { bookFiles: true });
  const { files } = book as unknown as { readonly files: Readonly<Record<string, { readonly content: Uint8Array }>> };
  return Buffer.from(files["xl/charts/chart1.xml"]!.content).toString("utf8");
}

test("json has null for points of a chart that have no finite value", async () => {
  const { bytes } = await renderToBuffer(jsonRenderer, createTestRows(columns, "x\n", { summary }));
  const { figures, charts } = (JSON.parse(bytes.toString()) as { readonly summary: typeof summary }).summary;
  expect(figures[0]!.value).toBeNull();
  expect(charts[0]!.points.map(({ values, exact }) => [values, exact])).toEqual([
    [[null], undefined],
    [[null], ["NaN"]],
    [[null], ["Infinity"]],
    [[null], ["-Infinity"]],
    [[-3], undefined],
    [[0], undefined],
    [[2], undefined],
  ]);
  expect(charts[0]!.omitted).toEqual([{ label: "no region", value: null }]);
});

test("xlsx has an empty cell and no chart point where no row has a value", async () => {
  const { bytes } = await renderToBuffer(xlsxRenderer, createTestRows(columns, "x\n", { summary }));
  const book = read(bytes);
  const cells = utils.sheet_to_json<unknown[]>(book.Sheets["Summary"]!, { header: 1 });
  const cellOf = (label: string): unknown => cells.find(([first]) => first === label)![1];
  expect(shownBars.map(cellOf)).toEqual([undefined, "NaN", "Infinity", "-Infinity", -3, 2]);
  expect(cells.map(([first]) => first)).not.toContain("zero");
  expect(cellOf("Sum")).toBeUndefined();
  const xml = readChartXml(bytes);
  const cache = /<c:numCache>.*?<\/c:numCache>/s.exec(xml)![0];
  expect([...cache.matchAll(/idx="(\d)"><c:v>([^<]*)/g)].map(([, at, value]) => [at, value])).toEqual([
    ["4", "-3"],
    ["5", "2"],
  ]);
  expect(cache).toContain('<c:ptCount val="6"/>');
  expect(xml).not.toContain("<c:min ");
});

test("the bars of an xlsx chart begin at 0 if no value is negative", async () => {
  const points = ["47", "48"].map((text) => ({ label: text, tone: "neutral" as const, ...parseBarValues([text]) }));
  const positive = { ...summary, charts: [{ ...chart, points }] };
  const { bytes } = await renderToBuffer(xlsxRenderer, createTestRows(columns, "x\n", { summary: positive }));
  expect(readChartXml(bytes)).toContain('<c:orientation val="minMax"/><c:min val="0"/>');
});

test.runIf(hasPdftotext)("pdf shows a dash where no row has a value, also in the text for screen readers", async () => {
  const { pages } = await renderAndReadPdf(columns, "x\n", { summary });
  const linesOf = (label: string): string => new RegExp(`^ *${label} +(\\S+)`, "m").exec(pages[0]!)![1]!;
  expect(shownBars.map(linesOf)).toEqual(["–", "NaN", "Infinity", "-Infinity", "-3", "2"]);
  expect(pages[0]).not.toMatch(/^ *zero/m);
  expect(pages[0]).toMatch(/Not shown: no region$/m);
  const [part] = splitChartByBarCount({ ...chart, kind: "decimal" }, conventions.words);
  const aloud = describeChart(part!, conventions);
  expect(aloud).toContain("none: –; nan: NaN; most: Infinity; least: -Infinity; below: -3; zero: 0; two: 2.");
});

test("pdf draws bars only for points above zero, all in one scale", () => {
  const canvas = new PdfCanvas(new PdfTextPen(new FontSet()), 0, toPdfPalette(defaultBrand.palette));
  const [part] = splitChartByBarCount({ ...chart, kind: "decimal" }, conventions.words);
  expect(part!.most).toBe(2);
  drawChart(canvas, part!, { x: 0, y: 0, width: 300 }, conventions);
  const content = canvas.pen.written().toString("latin1");
  expect(content.match(/ re f /g)).toHaveLength(1);
  expect(content).not.toContain("NaN ");
});
