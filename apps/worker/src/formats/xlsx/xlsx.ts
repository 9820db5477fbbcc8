import { Buffer } from "node:buffer";
import type { AttentionList, FoldedRowStream, ReportWarning, RowStream } from "@reports/core/report";
import { toChartNumberDisplay } from "../chart-amounts.ts";
import { getInstantFormatter } from "../filter-words.ts";
import { resolveSummary, type FormatRenderer, type DocumentInput } from "../format-renderer.ts";
import { translateDocument } from "../in-language.ts";
import { createGroupWarnings } from "../group-rows.ts";
import { listValueMeanings } from "../meanings.ts";
import { getNumberFormatter, type NumberFormatter } from "../number-formatter.ts";
import { selectRelevantSummary } from "../select-relevant-summary.ts";
import { createSubtotalsOmittedWarning } from "../subtotals.ts";
import { toLocalisedSummary, type LocalisedChart } from "../localised-summary.ts";
import { deflateLinks } from "./block-conversion.ts";
import { maxListedGroups } from "../../wire/fold-groups.ts";
import { byteSizeAxisFormatCode, toDurationFormatCode, stylesXml, type StyledColumn } from "./column-cell-styles.ts";
import { chartXml, drawingXml, type ChartWithCells } from "./chart-xml.ts";
import { createDateFormatCodes } from "./date-format-codes.ts";
import { logoAnchorXml } from "./logo-part.ts";
import { createSubtotalTable } from "./group-table.ts";
import { createNumberStyles, toNumberFormatCode } from "./number-styles.ts";
import { createSheetName } from "./sheet-name.ts";
import { applyByteSizeUnits } from "./byte-size-units.ts";
import { addTablePart, type SheetLimits, createSheetEntry, writeRowSheets } from "./row-sheets.ts";
import { summaryChartPosition, renderSummarySheet, createChartAmountFormatter } from "./summary-sheet.ts";
import { renderTableSheet, type InMemoryTable } from "./table-sheet.ts";
import { themeXml } from "./theme-xml.ts";
import { getWords, type Words } from "../words/words.ts";
import * as parts from "./workbook-parts.ts";
import { addZoneToTitles } from "./zone-in-title.ts";
import { ZipWriter } from "./zip-writer.ts";

/** Excel's maximum number of rows, minus the header. */
const rowsPerSheet = 1_048_575;

/** The renderer of xlsx (ECMA-376): a Summary sheet with native charts, the attention list, and the rows as typed cells in as many sheets as needed. */
export const xlsxRenderer: FormatRenderer = createXlsxRenderer({ rowsPerSheet });

export function createXlsxRenderer(settings: SheetLimits): FormatRenderer {
  return {
    needsLargestSizes: true,
    async render(given, givenDocument, sink, context) {
      const { rows: translated, document } = translateDocument(given, givenDocument);
      const { request, brand } = document;
      const { locale, language, paper, timezone } = request.options;
      const rows = { ...translated, columns: addZoneToTitles(translated.columns, timezone) };
      const zip = new ZipWriter(sink);
      const dates = createDateFormatCodes(locale);
      const numbers = getNumberFormatter(locale, language);
      const words = getWords(language);
      const dataAsOf = `${getInstantFormatter(timezone, locale, language)(rows.dataAsOf)} (${timezone})`;
      const printed = { paper, title: request.title, brandName: brand.name, footer: brand.footer, dataAsOf, words };
      const summaryName = createSheetName(words.text("summary"), []);
      const sheets: parts.SheetEntry[] = [{ name: summaryName, number: 1, table: null }];
      const styles = createNumberStyles(document.definition, numbersRead(rows), numbers);
      const target = { ...settings, sheets, dates, numbers: styles, words, printed };
      // The styles come before the sheets, because stream readers need them to know which numbers are dates.
      await zip.add("xl/styles.xml", stylesXml({ palette: brand.palette, dates, numbers: styles }));
      const written = await writeRowSheets(zip, rows, document, context, target);
      // The attention list is written after the rows, because a folded summary is known only then. In the workbook, its sheet still precedes the
      // sheets of the rows.
      const wholeSummary = toLocalisedSummary(resolveSummary(rows), document.definition, { words, numbers });
      const rowsSummary = selectRelevantSummary(wholeSummary, written.rowCount);
      const { attention } = rowsSummary;
      let place = 1;
      const addSheet = async (title: string, given: InMemoryTable): Promise<void> => {
        const table = { ...given, columns: applyByteSizeUnits(addZoneToTitles(given.columns, timezone), given.rows) };
        const entry = createSheetEntry(title, sheets, table.columns.length, table.rows.length);
        const { xml, links } = renderTableSheet(table, { dates, numbers: styles, printed: { ...printed, title } });
        await zip.add(`xl/worksheets/sheet${entry.number}.xml`, xml);
        const pieces = deflateLinks(links ?? {});
        await addTablePart(zip, entry, table.columns, pieces === null ? [] : [pieces]);
        sheets.splice(place++, 0, entry);
      };
      if (attention !== null && attention.rows.length > 0)
        await addSheet(attention.title, attentionTable(attention, numbers, words));
      const own = [
        ...(written.shortenedCells > 0 ? [createShortenedWarning(written.shortenedCells)] : []),
        ...(written.omittedLinks > 0 ? [createLinksWarning(written.omittedLinks)] : []),
      ];
      const groups = context.groups?.groups();
      if (groups === null) own.push(createSubtotalsOmittedWarning("xlsx", maxListedGroups));
      else if (groups !== undefined && groups.length > 0) {
        const { definition } = document;
        const column = definition.columns.find(({ key }) => key === request.options.groupBy)!;
        const figures = context.groups!.figures.map(
          (figure) => definition.summary.figures.find(({ key }) => key === figure.key) ?? figure,
        );
        await addSheet(words.text("subtotals"), createSubtotalTable(groups, { figures, column }, words));
      }
      for (const warning of own) context.warn(warning);
      const warnings = [...(rows.warnings ?? []), ...createGroupWarnings(request.options, document.definition), ...own];
      const summary = renderSummarySheet(rowsSummary, document, {
        name: summaryName,
        dataAsOf: rows.dataAsOf,
        rowCount: written.rowCount,
        warnings,
        meanings: written.rowCount === 0 ? [] : listValueMeanings([...rows.columns, ...(attention?.columns ?? [])]),
        numbers,
        styles,
        printed,
        hasDrawing: brand.logo !== null,
        sheetNames: sheets.slice(1).map(({ name }) => name),
      });
      await zip.add("xl/worksheets/sheet1.xml", summary.xml);
      await addDrawing(zip, summary.charts, document, { numbers, words });
      await zip.add("xl/theme/theme1.xml", themeXml(brand.palette));
      await zip.add("xl/workbook.xml", parts.workbookXml(sheets));
      await zip.add("xl/_rels/workbook.xml.rels", parts.workbookRelationshipsXml(sheets));
      await zip.add("docProps/core.xml", parts.corePropertiesXml(document));
      await zip.add("_rels/.rels", parts.packageRelationshipsXml());
      const contentTypes = parts.contentTypesXml(sheets, summary.charts.length, brand.logo !== null);
      await zip.add("[Content_Types].xml", contentTypes);
      await zip.finish();
    },
  };
}

async function addDrawing(
  zip: ZipWriter,
  charts: readonly ChartWithCells[],
  { brand }: DocumentInput,
  { numbers, words }: { readonly numbers: NumberFormatter; readonly words: Words },
): Promise<void> {
  const { logo, palette } = brand;
  if (charts.length === 0 && logo === null) return;
  const anchor =
    logo === null
      ? ""
      : logoAnchorXml(logo, brand.name, { column: summaryChartPosition.column, row: 0 }, charts.length + 1);
  await zip.add("xl/worksheets/_rels/sheet1.xml.rels", parts.sheetToDrawingRelationshipXml());
  await zip.add("xl/drawings/drawing1.xml", drawingXml(charts, summaryChartPosition, anchor));
  const relationships = parts.drawingRelationshipsXml(charts.length, logo !== null);
  await zip.add("xl/drawings/_rels/drawing1.xml.rels", relationships);
  if (logo !== null) await zip.add("xl/media/logo.png", Buffer.from(logo.png, "base64"));
  for (const [index, chart] of charts.entries())
    await zip.add(
      `xl/charts/chart${index + 1}.xml`,
      chartXml(
        chart,
        palette,
        words,
        createChartAmountFormatter(chart.chart, numbers),
        chartFormatCode(chart.chart, numbers),
      ),
    );
}

function attentionTable(
  { columns, rows, total }: AttentionList,
  numbers: NumberFormatter,
  words: Words,
): InMemoryTable {
  const count = (value: number): string => numbers.decimal(String(value));
  const note = words.text("firstOfSheet", { shown: count(rows.length), total: count(total) });
  return { columns, rows, ...(total > rows.length ? { note } : {}) };
}

function numbersRead({ columns, summary }: RowStream | FoldedRowStream): readonly StyledColumn[] {
  if (typeof summary === "function") return columns;
  return [...columns, ...summary.figures, ...(summary.attention?.columns ?? [])];
}

function createLinksWarning(links: number): ReportWarning {
  const [values, texts] = links === 1 ? ["value is", "text"] : ["values are", "texts"];
  const message = `${links} ${values} ${texts} without a link, because a sheet can have 65530 links. csv, json and ndjson contain every URL.`;
  return { code: "LINKS_OMITTED", message };
}

function chartFormatCode(chart: LocalisedChart, numbers: NumberFormatter): string {
  if (chart.kind === "bytes") return byteSizeAxisFormatCode;
  return (
    toNumberFormatCode(toChartNumberDisplay(chart), numbers) ??
    (chart.kind === "duration" ? toDurationFormatCode(0) : "#,##0")
  );
}

function createShortenedWarning(cells: number): ReportWarning {
  const [hold, end] =
    cells === 1 ? ["cell holds", "it was shortened and ends"] : ["cells hold", "they were shortened and end"];
  const message = `${cells} ${hold} more than the 32767 characters of an Excel cell; ${end} with “…”. csv, json and ndjson hold them whole.`;
  return { code: "TEXTS_SHORTENED", message };
}
