import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineReportTypes, type ReportTypeInput } from "@reports/core/report-type";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { selectLinkAndCurrencyKeys } from "./group-rows.ts";
import { getNumberFormatter } from "./number-formatter.ts";
import { createNumberStyles } from "./xlsx/number-styles.ts";
import { loadRenderer } from "./load-renderer.ts";
import { renderAndReadPdf } from "./pdf/rendered-pdf.fixture.ts";
import { hasOpenpyxl, hasPdftotext, runPythonProgram } from "./readers.fixture.ts";
import { renderToBuffer, createTestRows } from "./rows.fixture.ts";

const input = {
  type: "SHIPMENT",
  version: 1,
  title: "Shipments",
  columns: [
    { key: "name", title: "Name", kind: "text", align: "end" },
    { key: "weight", title: "Weight", kind: "decimal", unit: "kg" },
    { key: "stay", title: "Stay", kind: "integer", unit: "days", align: "center" },
    { key: "price", title: "Price", kind: "decimal", currency: { column: "currency" } },
    { key: "currency", title: "Currency", kind: "text" },
    { key: "cost", title: "Cost", kind: "decimal", currency: "EUR" },
    { key: "share", title: "Share", kind: "ratio", digits: 1 },
    { key: "score", title: "Score", kind: "decimal", digits: 3 },
  ],
  rows: { kind: "relation", relation: "fixture" },
  summary: {
    figures: [
      { key: "cost", title: "Cost of all", kind: "decimal", aggregate: { kind: "sum", column: "cost" } },
      {
        key: "dollars",
        title: "Price in dollars",
        kind: "decimal",
        aggregate: { kind: "sum", column: "price", where: { column: "currency", in: ["USD"] } },
      },
    ],
    charts: [
      {
        key: "weights",
        title: "Weights",
        categories: { column: "name", top: 3 },
        measure: { kind: "sum", column: "cost" },
      },
    ],
    attention: {
      title: "Heavy",
      where: { column: "weight", atLeast: 1 },
      columns: ["name", "price", "currency"],
      sort: [{ key: "weight", descending: true }],
      limit: 5,
    },
  },
} as const satisfies ReportTypeInput;

const { definition } = defineReportTypes([{ definition: input, authority: "SHIPMENTS" }]).reportTypes[0]!;
const { columns } = definition;
const wire = [
  "a,1234.5,12345,1234.5,USD,1234567.891,0.12345,2",
  "b,0.5,1,99.999,XBT,-0.5,1,0.0005",
  "c,,,5,,,,",
  "d,7,2,1500,JPY,0,0,-1",
]
  .map((line) => `${line}\n`)
  .join("");
const summary = {
  figures: [
    { key: "cost", title: "Cost of all", kind: "decimal", value: "1234567.391", tone: "neutral", currency: "EUR" },
    { key: "dollars", title: "Price in dollars", kind: "decimal", value: "1234.5", tone: "neutral", currency: "USD" },
  ],
  charts: [
    {
      key: "weights",
      title: "Weights",
      series: [{ label: "Weights", tone: "neutral" }],
      points: [{ label: "a", tone: "neutral", values: [1_234_567.891] }],
      omitted: [{ label: "1 other", value: -0.5 }],
    },
  ],
  attention: {
    title: "Heavy",
    columns: columns.filter(({ key }) => ["name", "price", "currency"].includes(key)),
    rows: [["a", "1234.5", "USD"]],
    total: 1,
  },
} as const;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "units-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("key figures have the unit, currency and digits of the column that they aggregate", () => {
  expect(definition.summary.figures).toMatchObject([{ currency: "EUR" }, { currency: "USD" }]);
});

it.runIf(hasPdftotext)("a German pdf writes units and amounts in cells, tiles, charts and the list", async () => {
  const { pages } = await renderAndReadPdf(columns, wire, {
    definition,
    summary,
    options: { language: "de", locale: "de" },
  });
  const text = pages.join("\n").replaceAll("\u00A0", " ");
  const lines = text.split("\n").map((line) => line.trim().split(/ {2,}/));
  expect(lines).toContainEqual([
    "a",
    "1.234,5 kg",
    "12.345 Tage",
    "1.234,50 $",
    "USD",
    "1.234.567,89 €",
    "12,3 %",
    "2,000",
  ]);
  expect(lines).toContainEqual(["b", "0,5 kg", "1 Tag", "99,999 XBT", "XBT", "-0,50 €", "100,0 %", "0,001"]);
  expect(lines).toContainEqual(["c", "–", "–", "5", "–", "–", "–", "–"]);
  expect(lines).toContainEqual(["d", "7 kg", "2 Tage", "1.500 ¥", "JPY", "0,00 €", "0,0 %", "-1,000"]);
  expect(lines).toContainEqual(["1.234.567,39 €", "1.234,50 $"]);
  expect(text).toContain("1 weiterer Wert (-0,50 €)");
  expect(lines).toContainEqual(["a", "1.234,50 $", "USD"]);
});

it.runIf(hasOpenpyxl)("xlsx has real numbers with formats of their units and currencies", async () => {
  const renderer = await loadRenderer("xlsx", { formulaGuard: true });
  const options = { format: "xlsx", language: "de", locale: "de" } as const;
  const { bytes } = await renderToBuffer(renderer, createTestRows(columns, wire, { summary }), { definition, options });
  const path = join(folder, "units.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
book = openpyxl.load_workbook(sys.argv[1])
cells = lambda name, rows: [[[c.value, c.number_format, c.alignment.horizontal] for c in row if c.value is not None] for row in book[name].iter_rows(min_row=rows)]
print(json.dumps([cells('Shipments', 1), cells('Heavy', 2), [[c[0].value, c[1].value, c[1].number_format] for c in book[book.sheetnames[0]].iter_rows() if c[0].value in ('Cost of all', 'Price in dollars', 'a')]]))`;
  const [rows, heavy, figures] = (await runPythonProgram(program, path)) as [unknown[][][], unknown[][][], unknown[][]];
  expect(rows[1]).toEqual([
    ["a", "General", "right"],
    [1234.5, 'General" kg"', "right"],
    [12_345, '[=1]#,##0" Tag";#,##0" Tage"', "center"],
    [1234.5, '#,##0.00" $"', "right"],
    ["USD", "General", "left"],
    [1_234_567.891, '#,##0.00" €"', "right"],
    [0.12345, "0.0%", "right"],
    [2, "#,##0.000", "right"],
  ]);
  expect(rows[0]!.map(([, , align]) => align)).toEqual([
    "right",
    "right",
    "center",
    "right",
    null,
    "right",
    "right",
    "right",
  ]);
  expect(rows[2]![3]).toEqual([99.999, "General", "right"]);
  expect(rows[3]).toEqual([
    ["c", "General", "right"],
    [5, "General", "right"],
  ]);
  expect(rows[4]![3]).toEqual([1500, '#,##0" ¥"', "right"]);
  expect(heavy[0]).toContainEqual([1234.5, '#,##0.00" $"', "right"]);
  expect(figures).toEqual([
    ["Cost of all", 1_234_567.391, '#,##0.00" €"'],
    ["Price in dollars", 1234.5, '#,##0.00" $"'],
    ["a", 1_234_567.891, '#,##0.00" €"'],
  ]);
});

it.each(["csv", "json", "ndjson"] as const)(
  "a %s file has amounts unformatted and with all their digits",
  async (format) => {
    const { bytes } = await renderToBuffer(
      await loadRenderer(format, { formulaGuard: true }),
      createTestRows(columns, wire, { summary }),
      {
        definition,
        options: { format, language: "de", locale: "de" },
      },
    );
    const text = bytes.toString();
    for (const number of ["1234567.891", "99.999", "0.0005"]) expect(text).toContain(number);
  },
);

test("json names the units and currencies of columns and figures", async () => {
  const renderer = await loadRenderer("json", { formulaGuard: true });
  const options = { format: "json" } as const;
  const { bytes } = await renderToBuffer(renderer, createTestRows(columns, wire, { summary }), { definition, options });
  const file = JSON.parse(bytes.toString()) as Record<
    "columns",
    { readonly unit?: unknown; readonly currency?: unknown }[]
  >;
  expect(file.columns.map(({ unit = null, currency = null }) => unit ?? currency)).toEqual([
    null,
    "kg",
    "days",
    { column: "currency" },
    null,
    "EUR",
    null,
    null,
  ]);
  expect(file).toMatchObject({ summary: { figures: [{ currency: "EUR" }, { currency: "USD" }] } });
});

it.each(["pdf", "xlsx"] as const)(
  "a %s file reads the currency column of its amounts even if it is not requested",
  (format) => {
    const asked = { format, columns: ["name", "price"], groupBy: null };
    expect(selectLinkAndCurrencyKeys(asked, definition)).toEqual(["currency"]);
    expect(selectLinkAndCurrencyKeys({ ...asked, columns: ["name", "cost"] }, definition)).toEqual([]);
  },
);

/** The columns in the order in which rows contain them. The currency is last, because the file does not show it. */
const read = ["name", "price", "currency"].map((key) => columns.find((column) => column.key === key)!);
const hiddenCurrency = { columns: ["name", "price"], language: "de", locale: "de" } as const;

it.runIf(hasPdftotext)("a pdf shows the currency of an amount without the column of the currency", async () => {
  const { pages } = await renderAndReadPdf(read, "a,5,USD\nb,7,GBP\n", { definition, options: hiddenCurrency });
  const lines = pages
    .join("\n")
    .split("\n")
    .map((line) => line.replaceAll("\u00A0", " ").trim().split(/ {2,}/));
  expect(lines).toContainEqual(["a", "5,00 $"]);
  expect(lines).toContainEqual(["b", "7,00 £"]);
  expect(pages.join()).not.toContain("USD");
});

it.runIf(hasPdftotext).each([{ tonesByNumber: [{ below: 0, tone: "bad" as const }] }, { align: "start" as const }])(
  "a pdf shows the currency of each amount of a column with %j",
  async (given) => {
    const prices = read.map((column) => (column.key === "price" ? { ...column, ...given } : column));
    const attention = { title: "Heavy", columns: prices, rows: [["list", "-2", "JPY"]], total: 1 };
    const { pages } = await renderAndReadPdf(prices, `a,-5,USD\nb,7,GBP\nc,${"9".repeat(300)},EUR\n`, {
      definition,
      options: { columns: ["name", "price"] },
      summary: { figures: [], charts: [], attention },
    });
    const cells = pages.join("\n").replaceAll("\u00A0", " ");
    for (const amount of ["-$5.00", "£7.00", "1E300 EUR", "-¥2"]) expect(cells).toContain(amount);
  },
);

it.runIf(hasOpenpyxl)("xlsx shows the currency of an amount without the column of the currency", async () => {
  const renderer = await loadRenderer("xlsx", { formulaGuard: true });
  const options = { format: "xlsx", ...hiddenCurrency } as const;
  const { bytes } = await renderToBuffer(renderer, createTestRows(read, "a,5,USD\nb,7,GBP\n"), { definition, options });
  const path = join(folder, "hidden.xlsx");
  writeFileSync(path, bytes);
  const program = `
import json,sys,openpyxl
print(json.dumps([[[c.value, c.number_format] for c in row] for row in openpyxl.load_workbook(sys.argv[1])['Shipments'].iter_rows(min_row=2)]))`;
  expect(await runPythonProgram(program, path)).toEqual([
    [
      ["a", "General"],
      [5, '#,##0.00" $"'],
    ],
    [
      ["b", "General"],
      [7, '#,##0.00" £"'],
    ],
  ]);
});

test("a unit of an older type version has an xlsx style only if known before the rows", () => {
  const numbers = getNumberFormatter("en");
  const tons = { kind: "decimal", unit: "t" } as const;
  expect(createNumberStyles(definition, [], numbers).cells(tons)).toEqual({});
  expect(createNumberStyles(definition, [tons], numbers).cells(tons)).toEqual({ style: expect.any(Number) });
});
