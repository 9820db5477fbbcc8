import { builtInReportTypes, type ReportColumn } from "@reports/core/report";
import { describe, expect, test } from "vitest";
import { defaultBrand } from "../../brand/brand.ts";
import { PdfCanvas } from "./pdf-canvas.ts";
import { FontSet } from "./font-set.ts";
import { createCellFormatContext } from "./cell-formatter.ts";
import { pageMarginPoints, getPdfPageSize } from "./paper-size.ts";
import { toPdfPalette } from "./pdf-palette.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";
import { toTableColumns } from "./row-section.ts";
import type { PlacedColumn, TableLayout } from "./row-layout.ts";
import { prepareTableLayout } from "./table-layout.ts";

const { contentWidth } = getPdfPageSize("A4", "landscape");

function layout(
  columns: readonly ReportColumn[],
  rows: readonly (readonly (string | null)[])[] = [],
  isWhole = true,
): TableLayout {
  const canvas = new PdfCanvas(new PdfTextPen(new FontSet()), 0, toPdfPalette(defaultBrand.palette));
  const conventions = createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" });
  return prepareTableLayout(canvas, toTableColumns(columns, conventions), { rows, isWhole })(contentWidth);
}

function measured(text: string): number {
  return new PdfTextPen(new FontSet()).measure(text, false);
}

const column = (key: string, width: number): ReportColumn => ({ key, title: key, kind: "text", width });

describe("table layout", () => {
  test.each(builtInReportTypes)("every column of $type fits on the page in a readable size", ({ columns }) => {
    const table = layout(columns);
    expect(table.columns.map((placed) => placed.column.key)).toEqual(columns.map(({ key }) => key));
    expect(table.size).toBeGreaterThanOrEqual(7);
    for (const placed of table.columns) {
      expect(placed.x).toBeGreaterThanOrEqual(pageMarginPoints.left);
      expect(placed.x + placed.width).toBeLessThanOrEqual(pageMarginPoints.left + contentWidth);
    }
  });

  test.each([1, 5, 12, 22, 60])("no two of %i columns overlap", (count) => {
    const table = layout(Array.from({ length: count }, (_, at) => column(`column ${at}`, 5 + (at % 30))));
    for (let line = 0; line < table.linesPerRow; line++) {
      const inLine = table.columns.filter((placed) => placed.line === line);
      inLine
        .slice(1)
        .forEach((placed, at) => expect(placed.x).toBeGreaterThanOrEqual(inLine[at]!.x + inLine[at]!.width));
    }
  });

  test("a table of two narrow columns has one line per row", () => {
    expect(layout([column("a", 20), column("b", 10)]).linesPerRow).toBe(1);
  });

  test("a column with unusually long values takes width from the others", () => {
    const columns = [column("a", 20), column("b", 20)];
    const even = layout(columns);
    const uneven = layout(columns, [["a value that is longer than usual", "b"]]);
    expect(uneven.columns[0]!.width).toBeGreaterThan(even.columns[0]!.width);
  });

  test("the title of a value that the first rows lack fits its column at full size", () => {
    const status = { ...column("status", 5), titles: { UP: "Up", OFF: "Switched off on purpose" } };
    const columns = [column("name", 40), status, ...Array.from({ length: 6 }, (_, at) => column(`column${at}`, 40))];
    const texts = columns.map(() => "a text that is longer than the columns are wide, as in many reports");
    const table = layout(columns, [texts.with(1, "UP")], false);
    expect(table.columns[1]!.maxEm).toBeGreaterThanOrEqual(measured("Switched off on purpose"));
  });

  test("a title of several words takes two lines instead of a wide column", () => {
    const [first] = layout([
      column("one two three four", 4),
      ...Array.from({ length: 9 }, (_, at) => column(`column${at}`, 16)),
    ]).columns;
    expect(first!.titleLines).toEqual(["one two ", "three four"]);
  });

  const stackOf = (table: TableLayout, { x }: PlacedColumn) => table.columns.filter((other) => other.x === x);
  const stackedTables = builtInReportTypes.flatMap(({ columns }) =>
    columns
      .map((_, at) => layout(columns.slice(0, at + 1)))
      .filter((table) => table.labels === null && table.linesPerRow > 1),
  );

  test("stacked cells never mix amounts and texts, so that amounts are right-aligned", () => {
    const isAmount = ({ kind, plainDigits }: ReportColumn): boolean =>
      ["integer", "bigint", "decimal", "ratio", "bytes"].includes(kind) && plainDigits !== true;
    const amounts = stackedTables.flatMap((table) =>
      table.columns.filter((placed) => isAmount(placed.column)).flatMap((placed) => stackOf(table, placed)),
    );
    expect(amounts.length).toBeGreaterThan(0);
    expect(amounts.filter(({ right }) => !right)).toEqual([]);
    const flushRight = stackedTables.flatMap(({ columns }) => columns.filter(({ right }) => right));
    expect(flushRight.filter(({ column: { kind } }) => ["text", "list", "timestamp"].includes(kind))).toEqual([]);
  });

  test("in stacked cells, a boolean has a stack of its own below its column's title", () => {
    const wide = Array.from({ length: 16 }, (_, at) => column(`text ${at}`, 24));
    const flags = ["HTTPS forced", "HSTS"].map((key) => ({ ...column(key, 8), kind: "boolean" as const }));
    const table = layout([...wide, ...flags]);
    expect([table.labels, table.linesPerRow]).toEqual([null, 2]);
    for (const placed of table.columns.slice(-2)) expect(stackOf(table, placed)).toEqual([placed]);
  });

  test.each(builtInReportTypes)(
    "a table of all columns of $type becomes a card per row, with titles and values",
    ({ columns }) => {
      const { labels, columns: placed, headerHeight } = layout(columns);
      expect(headerHeight).toBe(0);
      expect(labels).toHaveLength(columns.length);
      placed.forEach(({ x, column: { title } }, at) => {
        const { x: start, width } = labels![at]!;
        expect(width * 1000).toBeGreaterThanOrEqual(measured(title) * 7.5 - 1);
        expect(start + width).toBeLessThan(x);
      });
    },
  );

  test("a card of 200 columns fits on a page", () => {
    const table = layout(Array.from({ length: 200 }, (_, at) => column(`column ${at}`, 20)));
    expect(table.labels).toHaveLength(200);
    expect(table.rowHeight).toBeLessThan(450);
    for (const { x, width } of table.columns)
      expect(x + width).toBeLessThanOrEqual(pageMarginPoints.left + contentWidth + 0.01);
  });

  test("a table of few columns ends after its last column", () => {
    const narrow = layout([column("a", 10), column("b", 6)]);
    expect(narrow.width).toBeLessThan(contentWidth * 0.6);
    const last = narrow.columns.at(-1)!;
    expect(pageMarginPoints.left + narrow.width - (last.x + last.width)).toBeLessThan(5);
    const wide = layout([column("a", 60), column("b", 60), column("c", 30)]);
    expect(wide.width).toBe(contentWidth);
  });

  test("a column of short texts gets its full width before a column of long texts", () => {
    const long = "a text that goes on for long enough to fill a third of a page, or so";
    const columns = [column("a", 60), column("region", 14), column("b", 60), column("c", 60)];
    const table = layout(columns, [[long, "ap-southeast-2", long, long]]);
    expect(table.columns[1]!.maxEm).toBeGreaterThanOrEqual(measured("ap-southeast-2"));
    const seldom = layout(columns, [
      ...Array.from({ length: 60 }, () => [long, "eu-1", long, long]),
      [long, "ap-southeast-2", long, long],
    ]);
    expect(seldom.columns[1]!.maxEm).toBeGreaterThanOrEqual(measured("ap-southeast-2"));
  });
});
