import { createTimestampConverter, toWireTimestamp } from "@reports/core/base";
import { type ColumnKind, type ReportWarning } from "@reports/core/report";
import { createAmountFormatter } from "../amount-formatter.ts";
import { toChartNumberDisplay, formatExactAmounts, isWholeNumber } from "../chart-amounts.ts";
import type { DocumentInput } from "../format-renderer.ts";
import type { ValueMeanings } from "../meanings.ts";
import type { NumberFormatter } from "../number-formatter.ts";
import { describeOmittedCategories } from "../omitted-text.ts";
import { formatNoRowsSentence } from "../select-relevant-summary.ts";
import { listReportFacts, type ReportFact } from "../report-facts.ts";
import { findTextDirection, needsForcedLeftToRight } from "../text-direction.ts";
import type { LocalisedChart, LocalisedSummary } from "../localised-summary.ts";
import type { Words } from "../words/words.ts";
import { cellStyleIndexes } from "./cell-style-indexes.ts";
import type { NumberStyles } from "./column-cell-styles.ts";
import type { ChartWithCells } from "./chart-xml.ts";
import { pageSetupXml, type PrintSetup } from "./page-setup.ts";
import { quoteSheetName } from "./sheet-name.ts";
import { escapeXmlText } from "./escape-xstring.ts";
import {
  rowXml,
  sheetOpeningXml,
  sheetViewXml,
  createTextCellWriter,
  createValueCellWriter,
  type CellWriter,
} from "./sheet-parts.ts";

/** Column and row, from 0, at which charts begin: right of the tables and below the logo. */
export const summaryChartPosition = { column: 7, row: 3 } as const;

const columnWidths = [44, 24, 14, 14, 14, 14];
const overflowWidth = 72;
const lineHeight = 15;
const titleHeight = 28;
const titleWidth = 60;

interface WireTime {
  readonly wire: string;
}

export function renderSummarySheet(
  summary: LocalisedSummary,
  document: DocumentInput,
  sheet: {
    readonly name: string;
    readonly dataAsOf: Date;
    readonly rowCount: number;
    readonly warnings: readonly ReportWarning[];
    readonly meanings: readonly ValueMeanings[];
    readonly numbers: NumberFormatter;
    readonly styles: NumberStyles;
    readonly printed: PrintSetup;
    readonly hasDrawing: boolean;
    readonly sheetNames: readonly string[];
  },
): { readonly xml: string; readonly charts: readonly ChartWithCells[] } {
  const { words } = sheet.printed;
  const lines: string[] = [];
  const merged: string[] = [];
  const links: string[] = [];
  const charts: ChartWithCells[] = [];
  const addRow = (cells: readonly CellWriter[], attributes = "") =>
    lines.push(rowXml(lines.length + 1, cells, attributes));
  const addLine = (...cells: CellWriter[]) => addRow(cells);
  const addLabelled = (label: string, ...cells: CellWriter[]) => {
    const taken = Math.ceil(label.length / (columnWidths[0] as number));
    const height = taken > 1 ? ` ht="${taken * lineHeight}" customHeight="1"` : "";
    const style = needsForcedLeftToRight(label) ? cellStyleIndexes.labelFromLeft : cellStyleIndexes.label;
    addRow([createTextCellWriter(label, style), ...cells], height);
  };
  const addSection = (title: string) => {
    addLine();
    addLine(
      createTextCellWriter(title, cellStyleIndexes.section),
      ...Array.from({ length: 5 }, () => createTextCellWriter("", cellStyleIndexes.section)),
    );
  };
  /** Adds the title. A left-to-right title overflows into empty cells. A right-to-left title needs a merged cell as wide as the tables. */
  const addTitle = (title: string) => {
    const isFromRight = findTextDirection(title) === "rtl";
    const height = titleHeight * (isFromRight ? Math.ceil(title.length / titleWidth) : 1);
    const style = isFromRight
      ? cellStyleIndexes.titleFromRight
      : needsForcedLeftToRight(title)
        ? cellStyleIndexes.titleFromLeft
        : cellStyleIndexes.title;
    addRow([createTextCellWriter(title, style)], ` ht="${height}" customHeight="1"`);
    if (isFromRight) merged.push(mergedRowXml("A", lines.length));
  };
  const addText = (label: string, text: string) => {
    const taken = Math.ceil(text.length / overflowWidth);
    const style = needsForcedLeftToRight(text) ? cellStyleIndexes.textFromLeft : undefined;
    if (taken < 2)
      return addLine(createTextCellWriter(label, cellStyleIndexes.label), createTextCellWriter(text, style));
    const cells = [
      createTextCellWriter(label, cellStyleIndexes.label),
      createTextCellWriter(text, cellStyleIndexes.lines),
    ];
    addRow(cells, ` ht="${Math.min(taken * lineHeight, 400)}" customHeight="1"`);
    merged.push(mergedRowXml("B", lines.length));
  };

  addTitle(document.request.title);
  addLine(createTextCellWriter(document.brand.name, cellStyleIndexes.label));
  addLine();
  for (const [label, value] of reportFactsOfSheet(sheet.dataAsOf, document, words)) {
    if (typeof value === "string") addText(label, value);
    else addLine(createTextCellWriter(label, cellStyleIndexes.label), createValueCellWriter("timestamp", value.wire));
  }
  addLine(
    createTextCellWriter(words.text("rows"), cellStyleIndexes.label),
    createValueCellWriter("bigint", String(sheet.rowCount)),
  );
  sheet.sheetNames.forEach((name, at) => {
    addLine(
      createTextCellWriter(at === 0 ? words.text("sheets") : "", cellStyleIndexes.label),
      createTextCellWriter(name, cellStyleIndexes.link),
    );
    links.push(linkXml(`B${lines.length}`, name));
  });
  for (const warning of sheet.warnings)
    addText(
      words.text("note"),
      words.warning(warning, (digits) => sheet.numbers.decimal(digits)),
    );

  if (sheet.rowCount === 0) {
    addLine();
    addText("", formatNoRowsSentence(document, words));
  }

  const { figures, attention } = summary;
  if (figures.length > 0 || attention !== null) addSection(words.text("keyFigures"));
  for (const figure of figures)
    addLabelled(
      figure.title,
      createValueCellWriter(
        figure.kind === "integer" ? "bigint" : figure.kind,
        figure.value,
        sheet.styles.cells(figure),
      ),
    );
  if (attention !== null) addLabelled(attention.title, createValueCellWriter("bigint", String(attention.total)));

  for (const chart of summary.charts) {
    addSection(chart.title);
    if (chart.points.length === 0) addLine(createTextCellWriter(words.text("nothingToShow"), cellStyleIndexes.label));
    else {
      addLine(
        createTextCellWriter(""),
        ...chart.series.map((series) => createTextCellWriter(series.label, cellStyleIndexes.labelOfNumbers)),
      );
      charts.push({ chart, sheet: quoteSheetName(sheet.name), headerRow: lines.length });
    }
    // A number with a fraction needs the kind `decimal`, because the style of whole numbers would show a mean of 0.4 as 0.
    const kindOf = (amount: string | null): ColumnKind =>
      chart.kind === "bytes" || chart.kind === "duration"
        ? chart.kind
        : amount === null || isWholeNumber(amount)
          ? "bigint"
          : "decimal";
    const styles = sheet.styles.cells(toChartNumberDisplay(chart));
    for (const point of chart.points)
      addLabelled(
        point.label,
        ...formatExactAmounts(point).map((amount) => createValueCellWriter(kindOf(amount), amount, styles)),
      );
    const omitted = describeOmittedCategories(chart, words, createChartAmountFormatter(chart, sheet.numbers));
    if (omitted !== "") addLine(createTextCellWriter(omitted));
  }
  if (sheet.meanings.length > 0) addSection(words.text("meanings"));
  for (const { title, values } of sheet.meanings) {
    addLine(createTextCellWriter(title));
    for (const value of values) addText(value.title, value.meaning);
  }
  const opening = sheetOpeningXml(`A1:F${lines.length}`);
  const start = `${opening}${sheetViewXml(columnWidths, "", ' tabSelected="1" showGridLines="0"')}`;
  const merges = merged.length === 0 ? "" : `<mergeCells count="${merged.length}">${merged.join("")}</mergeCells>`;
  const drawing = charts.length > 0 || sheet.hasDrawing ? '<drawing r:id="rId1"/>' : "";
  return {
    xml: `${start}${lines.join("")}</sheetData>${merges}${links.length === 0 ? "" : `<hyperlinks>${links.join("")}</hyperlinks>`}${pageSetupXml(sheet.printed, columnWidths)}${drawing}</worksheet>`,
    charts,
  };
}

function linkXml(cell: string, sheetName: string): string {
  return `<hyperlink ref="${cell}" location="${escapeXmlText(`${quoteSheetName(sheetName)}!A1`)}" display="${escapeXmlText(sheetName)}"/>`;
}

function mergedRowXml(from: "A" | "B", row: number): string {
  return `<mergeCell ref="${from}${row}:F${row}"/>`;
}

export function createChartAmountFormatter(
  chart: LocalisedChart,
  numbers: NumberFormatter,
): (amount: string) => string {
  return createAmountFormatter(toChartNumberDisplay(chart), numbers).write;
}

function reportFactsOfSheet(
  dataAsOf: Date,
  document: DocumentInput,
  words: Words,
): readonly ReportFact<string | WireTime>[] {
  const localOf = createTimestampConverter(document.request.options.timezone);
  const instant = (at: Date): WireTime => ({ wire: localOf(toWireTimestamp(at)) });
  const { provenance, selection, identity } = listReportFacts(document, dataAsOf, { instant, words });
  return [...identity, ...provenance, ...selection];
}
