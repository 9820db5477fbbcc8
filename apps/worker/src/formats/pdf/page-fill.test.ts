import { expect, test } from "vitest";
import { defaultBrand } from "../../brand/brand.ts";
import { hasPdftotext } from "../readers.fixture.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
import { getWords } from "../words/words.ts";
import { PdfCanvas } from "./pdf-canvas.ts";
import { splitChartAtPageEnd, measureChartHeight, splitChartByBarCount } from "./charts.ts";
import { FontSet } from "./font-set.ts";
import { renderAndReadPdf } from "./rendered-pdf.fixture.ts";
import { toPdfPalette } from "./pdf-palette.ts";
import { pdfRenderer } from "./pdf.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";

const chart = { key: "c", title: "Hosts", series: [{ label: "", tone: "neutral" }], omitted: [] } as const;
const figures = Array.from(
  { length: 7 },
  (_, at) => ({ key: `f${at}`, title: "Figure", kind: "integer", value: "1", tone: "neutral" }) as const,
);
const bars = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ label: `bar-${at}-`, tone: "neutral", values: [at + 1] }) as const);
const columns = createTestColumns({ name: "text" });

test.runIf(hasPdftotext)("a chart that is too high for the rest of a landscape page begins on it", async () => {
  const charts = [
    { ...chart, points: bars(24) },
    { ...chart, key: "d", title: "Regions", points: bars(5) },
  ];
  const { pages } = await renderAndReadPdf(columns, "a\n", {
    summary: { figures, charts, attention: null },
    options: { orientation: "landscape" },
  });
  expect(pages[0]!.match(/bar-\d+-/g)!.length).toBeGreaterThan(10);
  expect(pages[0]).toMatch(/Hosts +Regions/);
  expect(pages[1]).toContain("Hosts (continued)");
  expect(pages.join("").match(/bar-\d+-/g)).toHaveLength(29);
});

test("a pdf breaks a chart only if each page gets at least four of its bars", () => {
  const canvas = new PdfCanvas(new PdfTextPen(new FontSet()), 0, toPdfPalette(defaultBrand.palette));
  const countsOf = (count: number, barsThatFit: number): readonly (number | undefined)[] | null => {
    const [whole] = splitChartByBarCount({ ...chart, kind: "decimal", points: bars(count) }, getWords("en"));
    const height = measureChartHeight(canvas, { ...whole!, points: bars(barsThatFit) }, 300);
    const broken = splitChartAtPageEnd(canvas, whole!, { width: 300, height });
    return broken && broken.map((part) => part?.points.length);
  };
  expect(countsOf(8, 8)).toEqual([8, undefined]);
  expect(countsOf(8, 7)).toEqual([4, 4]);
  expect(countsOf(20, 12)).toEqual([12, 8]);
  expect(countsOf(7, 6)).toBeNull();
  expect(countsOf(20, 3)).toBeNull();
});

test("a pdf without rows is in portrait, however wide its table would be", async () => {
  const wide = createTestColumns(
    Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`column${at}`, "text"] as const)),
  );
  const { bytes } = await renderToBuffer(pdfRenderer, createTestRows(wide, ""), { options: { format: "pdf" } });
  expect(bytes.includes("/MediaBox[0 0 595 842]")).toBe(true);
});
