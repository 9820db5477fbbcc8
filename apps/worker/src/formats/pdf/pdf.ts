import type { ReportWarning } from "@reports/core/report";
import { findColumnTitle } from "../column-title.ts";
import { translateDocument } from "../in-language.ts";
import { selectLinkAndCurrencyKeys, selectHiddenSubtotalKeys } from "../group-rows.ts";
import { resolveSummary, type FormatRenderer } from "../format-renderer.ts";
import { readRows } from "../../wire/read-rows.ts";
import { formatNoRowsSentence, selectRelevantSummary } from "../select-relevant-summary.ts";
import { selectAvailableSubtotals } from "../subtotals.ts";
import { toLocalisedSummary } from "../localised-summary.ts";
import { createNotGroupedWarning } from "../rows-not-grouped.ts";
import {
  measureAttentionStartHeight,
  prepareAttentionTableLayout,
  selectAttentionColumns,
  writeAttentionSection,
} from "./attention.ts";
import { PdfCanvas, wrapText } from "./pdf-canvas.ts";
import { createCellFormatContext } from "./cell-formatter.ts";
import { drawCover } from "./cover.ts";
import { drawFiguresAndCharts } from "./figures-and-charts.ts";
import { FontSet } from "./font-set.ts";
import { drawHeading, measureHeadingHeight } from "./heading.ts";
import { describeOmittedColumns } from "./omitted-columns.ts";
import { finishPdfDocument } from "./metadata.ts";
import { layOutValueLegend } from "./value-legend.ts";
import { writeLogo } from "./logo.ts";
import { PdfOutline } from "./pdf-outline.ts";
import { measureFooterWidthMilliEm, PageFlow } from "./page-flow.ts";
import { listFooterLines } from "./page-footer.ts";
import { toPdfPalette } from "./pdf-palette.ts";
import { drawLinkTitles, writeGroupIndex, writeLinkAnnotation } from "./page-links.ts";
import { pageMarginPoints, getPdfPageSize, type PdfPageSize } from "./paper-size.ts";
import { PdfFile } from "./pdf-file.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";
import { readRowsAhead } from "./read-rows-ahead.ts";
import { createBookmarkTitleFinder } from "./find-bookmark-title.ts";
import { toTableColumns, writePdfRows } from "./row-section.ts";
import { listShownValueMeanings } from "./shown-meanings.ts";
import { StructureTree } from "./structure-tree.ts";
import { measureTableStartHeight, type TableLayout } from "./row-layout.ts";
import { prepareTableLayout, layoutSampleRowCount } from "./table-layout.ts";
import { decidePdfTagging } from "./tagging.ts";
import type { Words } from "../words/words.ts";

const sectionGap = 14;
const endLineHeight = 20;
const linkedDocumentPages = 3;
const longDocumentPages = 5;
const noRowsSize = 11;
const noRowsLineHeight = 15;

/**
 * The renderer of pdf (1.7), for people who read and forward reports. Its memory does not grow with the rows: finished pages are written immediately.
 * Totals are written later, into forms that the pages show.
 */
export const pdfRenderer: FormatRenderer = {
  async render(given, givenDocument, sink, context) {
    const { rows, document } = translateDocument(given, givenDocument);
    const { request, definition, brand } = document;
    const { options } = request;
    const conventions = createCellFormatContext(options);
    const { words } = conventions;
    const wholeSummary = toLocalisedSummary(resolveSummary(rows), definition, conventions);
    const groupField = rows.columns.findIndex((column) => column.key === options.groupBy);
    if (options.groupBy !== null && groupField < 0)
      context.warn(createNotGroupedWarning(findColumnTitle(definition, options.groupBy)));
    const file = new PdfFile(sink);
    const fonts = new FontSet();
    // The table hides the column of the group, which headings show, and the URLs of links. It also hides the columns that only subtotals need
    // (`ofSubtotals`).
    const ofSubtotals = new Set(selectHiddenSubtotalKeys(options, definition));
    const urls = new Set(selectLinkAndCurrencyKeys(options, rows));
    const hiddenKeys = new Set([options.groupBy, ...urls, ...ofSubtotals]);
    // Columns that only subtotals need come last. So the other columns keep their index in a row when these are left out.
    const columns = rows.columns.filter(({ key }) => urls.has(key) || !ofSubtotals.has(key));
    const ownColumns = toTableColumns(rows.columns, conventions, (field) => hiddenKeys.has(rows.columns[field]!.key));
    const {
      first,
      total: knownTotal,
      fieldsWithoutValue,
      all,
    } = await readRowsAhead(readRows(rows.bytes), ownColumns, context);
    const total = knownTotal ?? rows.rowsTotal;
    const summary = selectRelevantSummary(wholeSummary, total);
    const attention = selectAttentionColumns(summary.attention, definition);
    const { isTagged, warning } = decidePdfTagging(options.accessible, {
      total,
      columns: ownColumns.reduce((objects, { linkField }) => objects + (linkField < 0 ? 1 : 3), 0),
    });
    if (warning !== null) context.warn(warning);
    const palette = toPdfPalette(brand.palette);
    const ruler = new PdfCanvas(new PdfTextPen(fonts), 0, palette);
    const shownColumns = ownColumns.filter(({ field }) => !fieldsWithoutValue.has(field));
    const layoutRows = prepareTableLayout(ruler, shownColumns, {
      rows: Iterator.from(first ?? []).take(layoutSampleRowCount),
      isWhole: knownTotal !== null && knownTotal <= layoutSampleRowCount,
    });
    const layoutAttention = attention && prepareAttentionTableLayout(ruler, attention, conventions);
    const layoutFor = (size: PdfPageSize): Layouts => ({
      size,
      rows: layoutRows(size.contentWidth),
      attention: layoutAttention && layoutAttention(size.contentWidth),
    });
    const { size, ...layouts } = chooseLayouts(options, layoutFor, total === 0);
    const structure = isTagged ? new StructureTree(file) : undefined;
    const pageNumber = (page: number): string => conventions.numbers.decimal(String(page));
    const expectedPages =
      1 +
      Math.ceil(
        ((total ?? 0) * layouts.rows.rowHeight) / (size.height - pageMarginPoints.top - pageMarginPoints.bottom),
      );
    const { dataAsOf } = rows;
    const footer = listFooterLines(ruler.pen, document, { dataAsOf, words, maxEm: measureFooterWidthMilliEm(size) });
    const flow = new PageFlow({ file, fonts, size, structure, palette, words, pageNumber, expectedPages, footer });
    const outline = new PdfOutline(file, size.height);
    const rowCountForm = flow.reserveForm();

    const logo = brand.logo === null ? null : { ...brand.logo, form: await writeLogo(file, brand.logo) };
    await flow.nextPage();
    const start = flow.here();
    outline.section(request.title, start);
    await drawCover(flow, document, { dataAsOf, rowCount: rowCountForm, words, logo });
    // If every row needs action, the attention list is left out and the rows get its title.
    const rowsTitle = (attention === null && wholeSummary.attention?.title) || words.text("allRows");
    const groupColumn = rows.columns[groupField];
    const groupsTitle =
      groupColumn && words.text("groupTitle", { column: words.text("groupedBy"), value: groupColumn.title });
    const sections = [
      summary.figures.length > 0 && words.text("keyFigures"),
      summary.charts.length > 0 && words.text("charts"),
      attention?.title,
      rowsTitle,
      groupsTitle,
    ].filter((title) => typeof title === "string");
    const isLinked = total !== 0 && expectedPages >= linkedDocumentPages;
    const sectionLinks = isLinked ? await drawLinkTitles(flow, sections) : [];
    await drawFiguresAndCharts(flow, outline, summary, conventions);
    const isOneBlock = knownTotal === (first?.length ?? 0);
    const meanings = listShownValueMeanings(columns, isOneBlock ? (first ?? []) : null, attention);
    const legend = layOutValueLegend(flow, outline, meanings);
    const attentionStart =
      attention !== null && layouts.attention !== null
        ? measureAttentionStartHeight(flow, attention, layouts.attention)
        : 0;
    // The legend precedes the attention list unless it would move that list to the next page.
    const isLegendFirst = legend?.fitsAbove(attentionStart) === true;
    if (isLegendFirst) await legend?.write();
    if (attention !== null && layouts.attention !== null) {
      await writeAttentionSection(flow, outline, attention, layouts.attention, conventions);
      flow.y += sectionGap;
    }

    const withoutValue = ownColumns.filter(({ field }) => fieldsWithoutValue.has(field));
    const omitted = describeOmittedColumns(flow, withoutValue);
    if (!isLegendFirst) await legend?.write();
    if (total === 0) await drawNoRows(flow, formatNoRowsSentence(document, words));
    else {
      const heading = measureHeadingHeight(flow.canvas, rowsTitle, size.contentWidth) + omitted.height;
      if (!flow.fits(heading + heightOfRows(layouts.rows, total))) await flow.nextPage();
      drawHeading(flow, outline, rowsTitle, { form: rowCountForm });
      omitted.draw();
    }
    const rowCount = await writePdfRows(flow, outline, all, {
      columns: rows.columns,
      groupField,
      subtotals: groupField < 0 ? [] : selectAvailableSubtotals(definition, options, rows.columns),
      layout: layouts.rows,
      conventions,
      total,
      bookmarks:
        groupField < 0 && expectedPages >= longDocumentPages ? createBookmarkTitleFinder(columns, options) : null,
      onBlock: (rowsDone) => context.onRows(rowsDone),
    });
    const counted = words.counted("rows", rowCount, conventions.numbers.decimal(String(rowCount)));
    if (flow.clippedCount + flow.clippedTitles > 0) context.warn(createShortenedWarning(flow));
    if (isLinked && groupsTitle !== undefined) await writeGroupIndex(flow, outline, groupsTitle, pageNumber);
    for (const link of sectionLinks) await writeLinkAnnotation(flow, link, outline.find(link.title) ?? start);
    if (rowCount > 0) writeEndLine(flow, words, counted);
    await flow.writeForm(rowCountForm, (canvas) =>
      canvas.text(0, 0, counted, { size: 8.5, colour: flow.canvas.palette.ink }),
    );

    const pages = await flow.finish();
    const outlines = await outline.write();
    const structureRoot = structure === undefined ? null : await structure.finish();
    const properties = {
      title: request.title,
      subject: definition.description,
      author: brand.name,
      createdAt: dataAsOf,
      seed: `${request.reportId} ${dataAsOf.toISOString()}`,
      language: options.language,
    };
    await finishPdfDocument(file, properties, { pages, outlines, structure: structureRoot });
  },
};

interface Layouts {
  readonly size: PdfPageSize;
  readonly rows: TableLayout;
  readonly attention: TableLayout | null;
}

function createShortenedWarning({ clippedCount, clippedTitles }: PageFlow): ReportWarning {
  const count = (amount: number, what: string): string[] =>
    amount === 0 ? [] : [`${amount} ${what}${amount === 1 ? "" : "s"}`];
  const shortened = [...count(clippedCount, "text"), ...count(clippedTitles, "column title")].join(" and ");
  const [were, them] = clippedCount + clippedTitles === 1 ? ["was", "it"] : ["were", "them"];
  // The header of a csv has the keys of columns, so a csv does not hold a title that the pdf shortens.
  const others = clippedTitles === 0 ? "csv, xlsx and json hold" : "xlsx and json hold";
  return { code: "TEXTS_SHORTENED", message: `${shortened} ${were} shortened to fit; ${others} ${them} whole.` };
}

function heightOfRows(layout: TableLayout, total: number | null): number {
  const isShort = total !== null && total <= layout.rowsTogether;
  return measureTableStartHeight(layout, total ?? undefined) + (isShort ? endLineHeight : 0);
}

async function drawNoRows(flow: PageFlow, sentence: string): Promise<void> {
  const lines = wrapText(flow.canvas, sentence, noRowsSize, flow.size.contentWidth);
  flow.y += noRowsLineHeight;
  if (!flow.fits(lines.length * noRowsLineHeight)) await flow.nextPage();
  flow.tag("P", () => {
    for (const line of lines) {
      flow.canvas.text(pageMarginPoints.left, flow.y, line, { size: noRowsSize });
      flow.y += noRowsLineHeight;
    }
  });
}

function chooseLayouts(
  { paper, orientation }: { readonly paper: Parameters<typeof getPdfPageSize>[0]; readonly orientation: string },
  layoutFor: (size: PdfPageSize) => Layouts,
  hasNoRows: boolean,
): Layouts {
  if (orientation !== "landscape") {
    const portrait = layoutFor(getPdfPageSize(paper, "portrait"));
    const isRoomy = hasNoRows || (portrait.rows.isRoomy && portrait.attention?.isRoomy !== false);
    if (orientation === "portrait" || isRoomy) return portrait;
  }
  return layoutFor(getPdfPageSize(paper, "landscape"));
}

/**
 * Writes the line that ends the table and says whether values were shortened. On a full page, the line is below the content, so that it needs no
 * further page.
 */
function writeEndLine(flow: PageFlow, words: Words, counted: string): void {
  const shortened = flow.clippedCount;
  const baseline = Math.min(flow.y + 14, flow.bottom + 6);
  const note = shortened === 0 ? "" : ` ${words.text("valuesShortened")}`;
  flow.tag("P", () =>
    flow.canvas.text(pageMarginPoints.left + 4, baseline, `${words.text("endOfReport", { rows: counted })}${note}`, {
      size: 8.5,
      colour: flow.canvas.palette.muted,
      maxWidth: flow.size.contentWidth - 8,
    }),
  );
}
