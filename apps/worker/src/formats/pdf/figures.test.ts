import type { Figure } from "@reports/core/report";
import { describe, expect, test } from "vitest";
import { defaultBrand } from "../../brand/brand.ts";
import { hasPdftotext } from "../readers.fixture.ts";
import { createTestColumns } from "../rows.fixture.ts";
import { PdfCanvas } from "./pdf-canvas.ts";
import { createCellFormatContext } from "./cell-formatter.ts";
import { arrangeFigureCards } from "./figures.ts";
import { FontSet } from "./font-set.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";
import { toPdfPalette } from "./pdf-palette.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";

const figure = (title: string, value: string): Figure => ({
  key: title,
  title,
  kind: "integer",
  value,
  tone: "neutral",
});

test.each([1, 2, 7, 10, 20])("%i key figures fill the width, in rows that differ by at most one figure", (count) => {
  const canvas = new PdfCanvas(new PdfTextPen(new FontSet()), 0, toPdfPalette(defaultBrand.palette));
  const conventions = createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" });
  const figures = Array.from({ length: count }, (_, at) => figure(`Figure ${at}`, "1278311137"));
  const { rows } = arrangeFigureCards(canvas, figures, 527, conventions);
  expect(rows.flat().map((card) => card.figure.title)).toEqual(figures.map(({ title }) => title));
  const lengths = rows.map(({ length }) => length);
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  for (const row of rows) expect(row.at(-1)!.x + row.at(-1)!.width).toBeCloseTo(527);
});

describe.runIf(hasPdftotext)("key figures for screen readers", () => {
  test("a screen reader reads key figures as a list of names and values", async () => {
    const figures = [figure("Proxies", "60"), figure("Down", "1")];
    const { structure } = await renderAndReadPdf(createTestColumns({ a: "text" }), "x\n", {
      summary: { figures, charts: [], attention: null },
    });
    expect(structure.replace(/\s+/g, " ")).toContain(
      'L (block) LI (block) Lbl (block) "Proxies" LBody (block) "60" LI (block) Lbl (block) "Down" LBody (block) "1"',
    );
  });
});
