import type { ReportColumn } from "@reports/core";
import type { WireRows } from "../../wire/read-rows.ts";
import { createCellFormat, nullText, type CellConventions, type CellFormat } from "./cell-format.ts";
import type { Outline } from "./outline.ts";
import type { PageFlow } from "./page-flow.ts";
import { margin } from "./paper-size.ts";
import { type TableColumn, type TableLayout } from "./table-layout.ts";
import { TableWriter } from "./table-writer.ts";

/** Points that the heading of a section takes. */
export const headingHeight = 24;
/** Points that the sentence takes which stands in place of rows where there are none. */
export const noRowsHeight = 26;
const groupHeight = 24;
const maxBookmarkLength = 200;
/** Rows that the last page has at least, where the page before it has them to give. */
const rowsAtEnd = 3;

/** Sets the heading of a section and its bookmark. */
export function drawHeading(
  flow: PageFlow,
  outline: Outline,
  title: string,
  note: string | { readonly form: number } = "",
): void {
  const { canvas } = flow;
  outline.section(title, flow.here());
  let end = 0;
  flow.tag("H2", () => {
    const maxWidth = flow.size.contentWidth - 160;
    end = canvas.text(margin.left, flow.y + 12, title, { size: 13, bold: true, maxWidth });
  });
  const x = margin.left + end + 10;
  if (typeof note !== "string") flow.tag("P", () => canvas.place(note.form, x, flow.y + 12));
  else if (note !== "")
    flow.tag("P", () => canvas.text(x, flow.y + 12, note, { size: 8.5, colour: flow.canvas.palette.muted }));
  flow.y += headingHeight;
}

/** The fields of rows as columns of a table; a field that is not to be shown is left out by its position. */
export function tableColumns(
  columns: readonly ReportColumn[],
  conventions: CellConventions,
  without = -1,
): TableColumn[] {
  return columns
    .map((column, field) => ({ field, column, format: createCellFormat(column, conventions) }))
    .filter(({ field }) => field !== without);
}

interface OpenGroup {
  readonly value: string | null;
  readonly title: string;
  readonly countForm: number;
  count: number;
}

/**
 * Writes all rows of a report. Grouped rows get a heading whenever the value of the grouping column changes; the heading's number of rows is a form
 * that is written when the group has ended.
 */
export async function writeRows(
  flow: PageFlow,
  outline: Outline,
  blocks: AsyncIterable<WireRows>,
  options: {
    readonly columns: readonly ReportColumn[];
    readonly groupField: number;
    readonly layout: TableLayout;
    readonly conventions: CellConventions;
    /** Rows that there will be; null where that is not known. */
    readonly total: number | null;
    onBlock(rows: number): void;
  },
): Promise<number> {
  const { columns, groupField, conventions, total } = options;
  const groupColumn = columns[groupField];
  const groupFormat: CellFormat | undefined = groupColumn && createCellFormat(groupColumn, conventions);
  const table = new TableWriter(flow, options.layout, conventions.numbers, () => drawGroupHeading(true));
  let group: OpenGroup | undefined;
  let rowCount = 0;

  async function endGroup(): Promise<void> {
    if (group === undefined) return;
    const note = `${conventions.numbers.decimal(String(group.count))} ${group.count === 1 ? "row" : "rows"}`;
    await flow.writeForm(group.countForm, (canvas) =>
      canvas.text(0, 0, note, { size: 8.5, colour: flow.canvas.palette.muted }),
    );
  }

  function drawGroupHeading(continued: boolean): void {
    if (group === undefined) return;
    const { canvas } = flow;
    const { title, countForm } = group;
    const { contentWidth } = flow.size;
    let end = 0;
    const setTitle = (): void => {
      const maxWidth = contentWidth - 160;
      const setting = { size: 10.5, bold: true, colour: flow.canvas.palette.accent, maxWidth };
      end = canvas.text(margin.left + 4, flow.y + 15, title, setting);
    };
    const placeCount = (): void => canvas.place(countForm, margin.left + end + 14, flow.y + 15);
    if (continued) {
      // Said again for the eye alone.
      setTitle();
      placeCount();
      const setting = { size: 8.5, colour: flow.canvas.palette.muted, align: "right" } as const;
      canvas.text(margin.left + contentWidth - 4, flow.y + 15, "continued", setting);
    } else {
      flow.tag("H3", setTitle);
      flow.tag("P", placeCount);
    }
    flow.y += groupHeight;
  }

  async function beginGroup(value: string | null): Promise<void> {
    await endGroup();
    const shown = value === null ? nullText : (groupFormat?.(value) ?? value);
    group = { value, title: `${groupColumn?.title ?? ""}: ${shown}`, countForm: flow.reserveForm(), count: 0 };
    if (rowCount > 0) flow.y += 8;
    if (!flow.fits(groupHeight + table.startHeight(2))) await flow.nextPage();
    outline.group(shown === "" ? "(empty)" : shown.slice(0, maxBookmarkLength), flow.here());
    drawGroupHeading(false);
    await table.begin(1);
  }

  for await (const rows of blocks) {
    if (groupColumn === undefined && rowCount === 0) await table.begin(1);
    for (const row of rows) {
      if (groupColumn !== undefined && (group === undefined || group.value !== row[groupField]))
        await beginGroup(row[groupField] ?? null);
      const beginsEnd = total !== null && rowCount >= rowsAtEnd && total - rowCount === rowsAtEnd;
      if (!table.fits(beginsEnd ? rowsAtEnd : 1)) await table.nextPage();
      table.row(row);
      rowCount++;
      if (group !== undefined) group.count++;
    }
    options.onBlock(rowCount);
  }
  await endGroup();
  if (rowCount === 0) {
    await table.begin(1);
    const none = "No record meets the filters of this report.";
    table.wholeRow(() =>
      flow.canvas.text(margin.left + 4, flow.y + 16, none, { size: 9.5, colour: flow.canvas.palette.muted }),
    );
    flow.y += noRowsHeight;
    await table.finish();
    return 0;
  }
  await table.finish();
  return rowCount;
}
