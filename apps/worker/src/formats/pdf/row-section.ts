import type { ReportColumn } from "@reports/core";
import type { WireRow } from "../../wire/read-rows.ts";
import { createCellFormat, nullText, type CellFormat } from "./cell-format.ts";
import type { NumberFormat } from "../number-format.ts";
import type { Outline } from "./outline.ts";
import { contentWidth, margin, type PageFlow } from "./page-flow.ts";
import { accent, muted } from "./palette.ts";
import { layoutTable, sampleRows, type TableColumn } from "./table-layout.ts";
import { createTableWriter, type TableWriter } from "./table-writer.ts";

const headingHeight = 24;
const groupHeight = 24;
const maxBookmarkLength = 200;

/** What the tables of one document have in common. */
export interface TableConventions {
  readonly numbers: NumberFormat;
  readonly timezone: string;
}

/** Sets the heading of a section and its bookmark. */
export function drawHeading(
  flow: PageFlow,
  outline: Outline,
  title: string,
  note: string | { readonly form: number } = "",
): void {
  outline.section(title, flow.here());
  const end = flow.canvas.text(margin.left, flow.y + 12, title, { size: 13, bold: true, maxWidth: contentWidth - 160 });
  if (typeof note === "string")
    flow.canvas.text(margin.left + end + 10, flow.y + 12, note, { size: 8.5, colour: muted });
  else flow.canvas.place(note.form, margin.left + end + 10, flow.y + 12);
  flow.y += headingHeight;
}

/** The fields of rows as columns of a table; a field that is not to be shown is left out by its position. */
export function tableColumns(
  columns: readonly ReportColumn[],
  conventions: TableConventions,
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
  blocks: AsyncIterable<readonly WireRow[]>,
  options: {
    readonly columns: readonly ReportColumn[];
    readonly groupField: number;
    readonly conventions: TableConventions;
    onBlock(rows: number): void;
  },
): Promise<number> {
  const { columns, groupField, conventions } = options;
  const groupColumn = columns[groupField];
  const groupFormat: CellFormat | undefined = groupColumn && createCellFormat(groupColumn, conventions);
  let table: TableWriter | undefined;
  let group: OpenGroup | undefined;
  let rowCount = 0;

  async function endGroup(): Promise<void> {
    if (group === undefined) return;
    const note = `${conventions.numbers.decimal(String(group.count))} ${group.count === 1 ? "row" : "rows"}`;
    await flow.writeForm(group.countForm, (canvas) => canvas.text(0, 0, note, { size: 8.5, colour: muted }));
  }

  function drawGroupHeading(continued: boolean): void {
    if (group === undefined) return;
    const { canvas } = flow;
    const end = canvas.text(margin.left + 4, flow.y + 15, group.title, {
      size: 10.5,
      bold: true,
      colour: accent,
      maxWidth: contentWidth - 160,
    });
    canvas.place(group.countForm, margin.left + end + 14, flow.y + 15);
    if (continued)
      canvas.text(margin.left + contentWidth - 4, flow.y + 15, "continued", {
        size: 8.5,
        colour: muted,
        align: "right",
      });
    flow.y += groupHeight;
  }

  async function beginGroup(value: string | null, writer: TableWriter): Promise<void> {
    await endGroup();
    const shown = value === null ? nullText : (groupFormat?.(value) ?? value);
    group = { value, title: `${groupColumn?.title ?? ""}: ${shown}`, countForm: flow.reserveForm(), count: 0 };
    if (rowCount > 0) flow.y += 8;
    if (!flow.fits(groupHeight + writer.startHeight(2))) await flow.nextPage();
    outline.group(shown === "" ? "(empty)" : shown.slice(0, maxBookmarkLength), flow.here());
    drawGroupHeading(false);
    await writer.begin(1);
  }

  for await (const rows of blocks) {
    if (table === undefined) {
      const layout = layoutTable(
        flow.canvas,
        tableColumns(columns, conventions, groupField),
        rows.slice(0, sampleRows),
      );
      table = createTableWriter(flow, layout, () => drawGroupHeading(true));
      if (groupColumn === undefined) await table.begin(1);
    }
    for (const row of rows) {
      if (groupColumn !== undefined && (group === undefined || group.value !== row[groupField]))
        await beginGroup(row[groupField] ?? null, table);
      if (!table.fits()) await table.nextPage();
      table.row(row);
      rowCount++;
      if (group !== undefined) group.count++;
    }
    options.onBlock(rowCount);
  }
  await endGroup();
  if (table === undefined) {
    table = createTableWriter(flow, layoutTable(flow.canvas, tableColumns(columns, conventions), []));
    await table.begin(1);
    flow.canvas.text(margin.left + 4, flow.y + 16, "No record meets the filters of this report.", {
      size: 9.5,
      colour: muted,
    });
    flow.y += 26;
  }
  await table.finish();
  return rowCount;
}
