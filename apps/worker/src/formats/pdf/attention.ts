import type { AttentionList, ReportTypeDefinition } from "@reports/core/report";
import type { PdfCanvas } from "./pdf-canvas.ts";
import type { CellFormatContext } from "./cell-formatter.ts";
import { drawContinuedHeading, drawHeading, measureHeadingHeight } from "./heading.ts";
import type { PdfOutline } from "./pdf-outline.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";
import { hasCellValue } from "./read-rows-ahead.ts";
import { toTableColumns } from "./row-section.ts";
import { measureTableStartHeight, type TableLayout } from "./row-layout.ts";
import { prepareTableLayout } from "./table-layout.ts";
import { TableWriter } from "./table-writer.ts";

const noteHeight = 22;

/** Returns the attention list with the columns that a pdf shows. A row snapshot of an earlier version of the report type can lack columns. */
export function selectAttentionColumns(
  attention: AttentionList | null,
  { summary }: Pick<ReportTypeDefinition, "summary">,
): AttentionList | null {
  const keys = summary.attention?.pdfColumns;
  if (attention === null || keys === undefined) return attention;
  const fields = keys.map((key) => attention.columns.findIndex((column) => column.key === key)).filter((at) => at >= 0);
  if (fields.length === 0) return attention;
  return {
    ...attention,
    columns: fields.map((at) => attention.columns[at]!),
    rows: attention.rows.map((row) => fields.map((at) => row[at] ?? null)),
  };
}

export function prepareAttentionTableLayout(
  canvas: PdfCanvas,
  { columns, rows }: AttentionList,
  conventions: CellFormatContext,
): (contentWidth: number) => TableLayout {
  const own = toTableColumns(columns, conventions);
  const shown = own.filter((column, at) => at === 0 || rows.some((row) => hasCellValue(column, row[column.field])));
  return prepareTableLayout(canvas, shown, { rows, isWhole: true });
}

export function measureAttentionStartHeight(
  flow: PageFlow,
  { title, rows }: AttentionList,
  layout: TableLayout,
): number {
  const heading = measureHeadingHeight(flow.canvas, title, flow.size.contentWidth);
  return heading + (rows.length === 0 ? noteHeight : measureTableStartHeight(layout, rows.length));
}

export async function writeAttentionSection(
  flow: PageFlow,
  outline: PdfOutline,
  attention: AttentionList,
  layout: TableLayout,
  conventions: CellFormatContext,
): Promise<void> {
  const { words } = conventions;
  const number = (value: number): string => conventions.numbers.decimal(String(value));
  const { rows, total } = attention;
  const note =
    total > rows.length
      ? words.text("firstOf", { shown: number(rows.length), total: number(total) })
      : total === 0
        ? ""
        : number(total);
  if (!flow.fits(measureAttentionStartHeight(flow, attention, layout))) await flow.nextPage();
  drawHeading(flow, outline, attention.title, note);
  if (rows.length === 0) {
    const setting = { size: 9.5, colour: flow.canvas.palette.muted };
    flow.tag("P", () => flow.canvas.text(pageMarginPoints.left, flow.y + 8, words.text("nothingNeedsAction"), setting));
    flow.y += noteHeight;
    return;
  }
  const table = new TableWriter(flow, layout, conventions.numbers, () => drawContinuedHeading(flow, attention.title));
  await table.begin(1);
  for (const [at, row] of rows.entries()) {
    // The last two rows stay together, so that the last row is not alone on a page.
    if (!table.fits(row, at === rows.length - 2 ? Math.min(2, layout.rowsTogether) : 1)) await table.nextPage();
    table.row(row);
  }
  await table.finish();
  if (total <= rows.length) return;
  if (!flow.fits(noteHeight)) await flow.nextPage();
  const others = total - rows.length;
  const more = words.counted("moreInTable", others, number(others));
  flow.tag("P", () =>
    flow.canvas.text(pageMarginPoints.left + 4, flow.y + 14, more, { size: 8.5, colour: flow.canvas.palette.muted }),
  );
  flow.y += noteHeight;
}
