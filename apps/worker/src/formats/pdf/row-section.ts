import type { FigureDefinition, ReportColumn } from "@reports/core/report";
import { createSubtotalFold, type SubtotalFold } from "../../wire/fold-groups.ts";
import type { WireRow, WireRows } from "../../wire/read-rows.ts";
import { areEqualValues } from "../../wire/to-equality-key.ts";
import { createCellFormatter, type CellFormatContext, type CellFormatter } from "./cell-formatter.ts";
import { drawContinuedGroupHeading, drawGroupHeading, measureGroupHeadingHeight } from "./heading.ts";
import type { PdfOutline } from "./pdf-outline.ts";
import type { PageFlow } from "./page-flow.ts";
import type { TableColumn } from "./column-width-estimate.ts";
import type { FindBookmarkTitle } from "./find-bookmark-title.ts";
import type { TableLayout } from "./row-layout.ts";
import { layOutSubtotals } from "./subtotal-lines.ts";
import { TableWriter } from "./table-writer.ts";

const maxBookmarkLength = 200;
/** Maximum characters of a group's title, so that a heading does not fill a page. */
const maxGroupTitleLength = 400;

export function toTableColumns(
  columns: readonly ReportColumn[],
  conventions: CellFormatContext,
  isHidden: (field: number) => boolean = () => false,
): TableColumn[] {
  return columns
    .map((column, field) => ({
      field,
      column,
      format: createCellFormatter(column, conventions),
      currencyField: currencyFieldOf(column, columns),
      linkField: columns.findIndex(({ key }) => key === column.link?.column),
    }))
    .filter(({ field }) => !isHidden(field));
}

function currencyFieldOf({ currency }: ReportColumn, columns: readonly ReportColumn[]): number {
  return typeof currency === "object" ? columns.findIndex(({ key }) => key === currency.column) : -1;
}

interface OpenGroup {
  readonly value: string | null;
  readonly title: string;
  readonly countForm: number;
  readonly subtotals: { readonly form: number; readonly fold: SubtotalFold } | null;
  count: number;
}

/**
 * Writes all rows, below group headings if grouped, and returns their number. A group's row count is a PDF form object, which is written at the
 * group's end.
 */
export async function writePdfRows(
  flow: PageFlow,
  outline: PdfOutline,
  blocks: AsyncIterable<WireRows>,
  options: {
    readonly columns: readonly ReportColumn[];
    readonly groupField: number;
    readonly subtotals: readonly FigureDefinition[];
    readonly layout: TableLayout;
    readonly conventions: CellFormatContext;
    readonly total: number | null;
    readonly bookmarks: FindBookmarkTitle | null;
    onBlock(rows: number): void;
  },
): Promise<number> {
  const { columns, groupField, conventions, total } = options;
  const { words } = conventions;
  const groupColumn = columns[groupField];
  const groupFormat: CellFormatter | undefined = groupColumn && createCellFormatter(groupColumn, conventions);
  const table = new TableWriter(flow, options.layout, conventions.numbers, () => {
    if (group === undefined) return;
    drawContinuedGroupHeading(flow, group.title, { form: group.countForm });
  });
  const beginSubtotals = createSubtotalFold(options.subtotals, columns);
  const lines = options.subtotals.length === 0 ? null : layOutSubtotals(flow, options.subtotals, conventions);
  const { rowsTogether: minRowsAtEnd } = options.layout;
  let group: OpenGroup | undefined;
  let rowCount = 0;

  async function endGroup(): Promise<void> {
    if (group === undefined) return;
    const note = words.counted("rows", group.count, conventions.numbers.decimal(String(group.count)));
    await flow.writeForm(group.countForm, (canvas) =>
      canvas.text(0, 0, note, { size: 8.5, colour: flow.canvas.palette.muted }),
    );
    if (group.subtotals !== null) await lines?.write(group.subtotals.form, group.subtotals.fold.values());
  }

  function nameGroup(value: string | null): { readonly title: string; readonly bookmark: string } {
    const column = groupColumn?.title ?? "";
    const isBoolean = groupColumn?.kind === "boolean";
    const name = isBoolean && value === null ? words.text("notKnown") : groupName(value);
    if (value === null && !isBoolean) return { title: name, bookmark: name };
    const title = words.text("groupTitle", { column, value: shortenTitle(flow, name) });
    // A bookmark "Yes" would not say what it answers, so the bookmark of a boolean names its column.
    return { title, bookmark: isBoolean ? title : name };
  }

  function groupName(value: string | null): string {
    if (value === null) return words.text("groupWithoutValue", { column: words.inSentence(groupColumn?.title ?? "") });
    if (value === "") return words.text("emptyText");
    return groupFormat?.(value) ?? value;
  }

  function beginsGroup(row: WireRow, { kind }: ReportColumn): boolean {
    return group === undefined || !areEqualValues(group.value, row[groupField] ?? null, kind);
  }

  async function beginGroup(value: string | null): Promise<void> {
    await endGroup();
    const { title, bookmark } = nameGroup(value);
    if (rowCount > 0) flow.y += 8;
    const heading = measureGroupHeadingHeight(flow.canvas, title, flow.size.contentWidth) + (lines?.height ?? 0);
    if (!flow.fits(heading + table.startHeight(Math.min(2, minRowsAtEnd)))) await flow.nextPage();
    outline.group(bookmark.slice(0, maxBookmarkLength), flow.here());
    const countForm = flow.reserveForm();
    drawGroupHeading(flow, title, { form: countForm });
    const subtotals = lines === null ? null : { form: lines.place(), fold: beginSubtotals() };
    group = { value, title, countForm, subtotals, count: 0 };
    await table.begin(1);
  }

  for await (const rows of blocks) {
    if (groupColumn === undefined && rowCount === 0) await table.begin(1);
    for (const row of rows) {
      if (groupColumn !== undefined && beginsGroup(row, groupColumn)) await beginGroup(row[groupField] ?? null);
      const beginsEnd = total !== null && rowCount >= minRowsAtEnd && total - rowCount === minRowsAtEnd;
      if (!table.fits(row, beginsEnd ? minRowsAtEnd : 1)) await table.nextPage();
      const bookmark = options.bookmarks?.(row) ?? null;
      if (bookmark !== null) outline.group(bookmark.slice(0, maxBookmarkLength), flow.here());
      table.row(row);
      rowCount++;
      if (group === undefined) continue;
      group.count++;
      group.subtotals?.fold.add(row);
    }
    options.onBlock(rowCount);
  }
  await endGroup();
  await table.finish();
  return rowCount;
}

function shortenTitle(flow: PageFlow, title: string): string {
  if (title.length <= maxGroupTitleLength) return title;
  flow.canvas.pen.clippedCount++;
  return `${title.slice(0, maxGroupTitleLength).toWellFormed()}…`;
}
