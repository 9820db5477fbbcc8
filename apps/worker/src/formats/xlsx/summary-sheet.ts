import type { ReportWarning } from "@reports/core";
import type { SummaryInWords } from "../summary-in-words.ts";
import { omittedText } from "../omitted-text.ts";
import type { RenderDocument } from "../format-renderer.ts";
import { reportFacts, type ReportFact } from "../report-facts.ts";
import { rfc3339 } from "../../wire/append-timestamp.ts";
import { createTimestampFormatter } from "../../wire/zoned-timestamp.ts";
import { cellStyles } from "./cell-styles.ts";
import type { PlacedChart } from "./chart-xml.ts";
import { pageSetup, quotedSheetName, sheetStart, textCell, valueCell } from "./sheet-parts.ts";

/** Where charts begin, right of the tables; column and row from 0. */
export const chartPlace = { column: 7, row: 2 } as const;

/** The Summary sheet: what the report is, its figures, and the numbers of its charts. */
export function summarySheet(
  summary: SummaryInWords,
  document: RenderDocument,
  sheet: {
    readonly name: string;
    readonly dataAsOf: Date;
    readonly rowCount: number;
    readonly warnings: readonly ReportWarning[];
  },
): { readonly xml: string; readonly charts: readonly PlacedChart[] } {
  const lines: string[] = [];
  const charts: PlacedChart[] = [];
  const addLine = (...cells: string[]) => lines.push(cells.length === 0 ? "<row/>" : `<row>${cells.join("")}</row>`);
  const addSection = (title: string) => {
    addLine();
    addLine(textCell(title, cellStyles.section), ...Array.from({ length: 5 }, () => textCell("", cellStyles.section)));
  };

  lines.push(`<row ht="28" customHeight="1">${textCell(document.request.title, cellStyles.title)}</row>`);
  addLine();
  for (const [label, value] of describe(sheet.dataAsOf, document))
    addLine(textCell(label, cellStyles.label), textCell(value));
  addLine(textCell("Rows", cellStyles.label), valueCell({ kind: "bigint" }, String(sheet.rowCount)));
  for (const { message } of sheet.warnings) addLine(textCell("Note", cellStyles.label), textCell(message));

  const { figures, attention } = summary;
  if (figures.length > 0 || attention !== null) addSection("Key figures");
  for (const figure of figures)
    addLine(
      textCell(figure.title, cellStyles.label),
      valueCell({ kind: figure.kind === "integer" ? "bigint" : figure.kind }, figure.value),
    );
  if (attention !== null)
    addLine(textCell(attention.title, cellStyles.label), valueCell({ kind: "bigint" }, String(attention.total)));

  for (const chart of summary.charts) {
    addSection(chart.title);
    addLine(textCell(""), ...chart.series.map((series) => textCell(series.label, cellStyles.labelOfNumbers)));
    if (chart.points.length > 0) charts.push({ chart, sheet: quotedSheetName(sheet.name), headerRow: lines.length });
    for (const point of chart.points)
      addLine(
        textCell(point.label, cellStyles.label),
        ...point.values.map((value) => valueCell({ kind: chart.kind === "bytes" ? "bytes" : "bigint" }, String(value))),
      );
    const omitted = omittedText(chart, String);
    if (omitted !== "") addLine(textCell(omitted));
  }
  const start = sheetStart({ widths: [44, 24, 14, 14, 14, 14], frozenRows: 0, isLandscape: true, isSelected: true });
  const drawing = charts.length === 0 ? "" : '<drawing r:id="rId1"/>';
  return { xml: `${start}${lines.join("")}</sheetData>${pageSetup(true)}${drawing}</worksheet>`, charts };
}

function describe(dataAsOf: Date, document: RenderDocument): readonly ReportFact[] {
  const formatTimestamp = createTimestampFormatter(document.request.options.timezone);
  // In a form that sorts as a text.
  const show = (instant: Date) => rfc3339(formatTimestamp(instant)).replace("T", " ");
  const { provenance, selection, identity } = reportFacts(document, dataAsOf, show);
  return [...identity, ...provenance, ...selection];
}
