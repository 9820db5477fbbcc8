import type { ReportColumn } from "@reports/core/report";
import ExcelJS from "exceljs";
import { expect, test } from "vitest";
import { defaultBrand } from "../brand/brand.ts";
import { createCellFormatContext } from "./pdf/cell-formatter.ts";
import { toPdfPalette } from "./pdf/pdf-palette.ts";
import { toTableColumns } from "./pdf/row-section.ts";
import { createValueStyleLookup } from "./pdf/value-style-lookup.ts";
import { renderToBuffer, createTestColumns, createTestRenderRequest, createTestRows } from "./rows.fixture.ts";
import { createXlsxRenderer } from "./xlsx/xlsx.ts";

const [name, load] = createTestColumns({ name: "text", load: "ratio" }) as [ReportColumn, ReportColumn];
const columns: readonly ReportColumn[] = [
  name,
  {
    ...load,
    tonesByNumber: [
      { atLeast: 0.9, tone: "bad" },
      { atLeast: 0.7, tone: "warn" },
      { below: 1e-7, tone: "muted" },
    ],
  },
];

test("a pdf formats a number, and shows it bold and coloured if it has a tone", () => {
  const palette = toPdfPalette(defaultBrand.palette);
  const { options } = createTestRenderRequest(columns);
  const styles = createValueStyleLookup(toTableColumns(columns, createCellFormatContext(options))[1]!, palette)!;
  expect(styles.get("0.95")).toEqual({ text: "95.00%", isBold: true, colour: palette.toneText.bad });
  expect(styles.get("0.75")).toEqual({ text: "75.00%", isBold: true, colour: palette.toneText.warn });
  expect(styles.get("0.5")).toEqual({ text: "50.00%", isBold: false, colour: undefined });
});

test("the pdf style of an amount has no fixed text if each row has its currency", () => {
  const palette = toPdfPalette(defaultBrand.palette);
  const { options } = createTestRenderRequest(columns);
  const price = { ...load, currency: { column: "name" }, tonesByNumber: [{ below: 0, tone: "bad" as const }] };
  const [, column] = toTableColumns([name, price], createCellFormatContext(options));
  expect(createValueStyleLookup(column!, palette)!.get("-1")).toEqual({ isBold: true, colour: palette.toneText.bad });
});

test("an xlsx has one rule per bound of a number's tones, in the order of the bounds", async () => {
  const { bytes } = await renderToBuffer(
    createXlsxRenderer({ rowsPerSheet: 9 }),
    createTestRows(columns, "a,0.95\nb,\n"),
  );
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(bytes as unknown as ArrayBuffer);
  const { conditionalFormattings } = book.worksheets[1] as unknown as {
    readonly conditionalFormattings: readonly { readonly ref: string; readonly rules: readonly Rule[] }[];
  };
  expect(conditionalFormattings.map(({ ref }) => ref)).toEqual(["B2:B3"]);
  const value = 'IF(ISNUMBER(B2),B2,_xlfn.NUMBERVALUE(B2,".",","))';
  expect(conditionalFormattings[0]!.rules).toMatchObject([
    { type: "expression", priority: 1, formulae: [`AND(B2<>"",${value}>=0.9)`] },
    { type: "expression", priority: 2, formulae: [`AND(B2<>"",${value}>=0.7)`] },
    { type: "expression", priority: 3, formulae: [`AND(B2<>"",${value}<0.0000001)`] },
  ]);
});

interface Rule {
  readonly type: string;
  readonly priority: number;
  readonly formulae: readonly string[];
}
