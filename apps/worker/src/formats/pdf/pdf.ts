import type { Attention } from "@reports/core";
import { summaryOf, type FormatRenderer } from "../format-renderer.ts";
import { drawCover } from "./cover.ts";
import { FontSet } from "./font-set.ts";
import { finishDocument } from "./metadata.ts";
import { createNumberFormat } from "../number-format.ts";
import { Outline } from "./outline.ts";
import { drawOverview } from "./overview.ts";
import { margin, PageFlow } from "./page-flow.ts";
import { ink, muted } from "./palette.ts";
import { PdfFile } from "./pdf-file.ts";
import { drawHeading, tableColumns, writeRows, type TableConventions } from "./row-section.ts";
import { layoutTable } from "./table-layout.ts";
import { createTableWriter } from "./table-writer.ts";
import { readRows } from "../../wire/read-rows.ts";
import { summaryInWords } from "../summary-in-words.ts";
import { rowsNotGrouped } from "../rows-not-grouped.ts";

/**
 * PDF 1.7, A4 landscape, for people who read and forward it: cover, key figures, charts, what needs action, then every row. Pages are written as they
 * are finished, so that memory does not grow with the rows; what is known only at the end (numbers of pages and rows) stands in shared forms.
 */
export const pdfRenderer: FormatRenderer = {
  async render(rows, document, sink, context) {
    const { request, definition } = document;
    const { options } = request;
    const conventions: TableConventions = { numbers: createNumberFormat(options.locale), timezone: options.timezone };
    const file = new PdfFile(sink);
    const flow = new PageFlow(file, new FontSet());
    const outline = new Outline(file);
    const rowCountForm = flow.reserveForm();

    await flow.nextPage();
    outline.section(request.title, flow.here());
    await drawCover(flow, document, { dataAsOf: rows.dataAsOf, rowCount: rowCountForm });
    const summary = summaryInWords(summaryOf(rows), definition);
    await drawOverview(flow, outline, summary, conventions);
    if (summary.attention !== null) await writeAttention(flow, outline, summary.attention, conventions);

    const groupField = rows.columns.findIndex((column) => column.key === options.groupBy);
    if (options.groupBy !== null && groupField < 0) {
      context.warn(rowsNotGrouped(options.groupBy));
    }
    await flow.nextPage();
    drawHeading(flow, outline, "All rows", { form: rowCountForm });
    const rowCount = await writeRows(flow, outline, readRows(rows.bytes), {
      columns: rows.columns,
      groupField,
      conventions,
      onBlock: (rowsDone) => context.onRows(rowsDone),
    });
    const counted = `${conventions.numbers.decimal(String(rowCount))} ${rowCount === 1 ? "row" : "rows"}`;
    if (flow.clippedCount > 0) {
      const texts = `${flow.clippedCount} ${flow.clippedCount === 1 ? "text was" : "texts were"}`;
      context.warn({
        code: "TEXTS_SHORTENED",
        message: `${texts} shortened to fit; csv, xlsx and json hold them whole.`,
      });
    }
    await writeEnd(flow, counted);
    await flow.writeForm(rowCountForm, (canvas) => canvas.text(0, 0, counted, { size: 8.5, colour: ink }));

    const pages = await flow.finish(`${request.title}  ·  ${request.reportType}  ·  ${request.reportId}`);
    const properties = {
      title: request.title,
      subject: definition.description,
      createdAt: rows.dataAsOf,
      seed: `${request.reportId} ${rows.dataAsOf.toISOString()}`,
    };
    await finishDocument(file, properties, pages, await outline.write());
  },
};

/** What someone should look at first, before the whole. */
async function writeAttention(
  flow: PageFlow,
  outline: Outline,
  attention: Attention,
  conventions: TableConventions,
): Promise<void> {
  await flow.nextPage();
  const number = (value: number): string => conventions.numbers.decimal(String(value));
  const { rows, total } = attention;
  const note =
    total > rows.length ? `the first ${number(rows.length)} of ${number(total)}` : total === 0 ? "" : number(total);
  drawHeading(flow, outline, attention.title, note);
  if (rows.length === 0) {
    flow.canvas.text(margin.left, flow.y + 8, "Nothing needs action.", { size: 9.5, colour: muted });
    return;
  }
  const layout = layoutTable(flow.canvas, tableColumns(attention.columns, conventions), rows);
  const table = createTableWriter(flow, layout);
  await table.begin(1);
  for (const row of rows) {
    if (!table.fits()) await table.nextPage();
    table.row(row);
  }
  await table.finish();
  if (total > rows.length) {
    flow.canvas.text(
      margin.left + 4,
      flow.y + 14,
      `${number(total - rows.length)} more stand in the table of all rows.`,
      { size: 8.5, colour: muted },
    );
  }
}

/** Closes the table, and says so when values were shortened: nothing is cut silently. */
async function writeEnd(flow: PageFlow, counted: string): Promise<void> {
  const shortened = flow.clippedCount;
  if (!flow.fits(20)) await flow.nextPage();
  const note =
    shortened === 0 ? "" : " Values that end in “…” did not fit their column; csv, xlsx and json hold them whole.";
  flow.canvas.text(margin.left + 4, flow.y + 14, `End of the report: ${counted}.${note}`, { size: 8.5, colour: muted });
}
