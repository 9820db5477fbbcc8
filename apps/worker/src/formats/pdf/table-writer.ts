import { unitsPerPoint } from "./canvas.ts";
import { nullText } from "./cell-format.ts";
import { fitCell, type FittedText } from "./fit-cell.ts";
import type { NumberFormat } from "../number-format.ts";
import type { PageFlow } from "./page-flow.ts";
import { margin } from "./paper-size.ts";
import { drawTitles } from "./table-header.ts";
import type { PlacedColumn, TableLayout } from "./table-layout.ts";
import { createTableTags } from "./table-tags.ts";
import { looksOf } from "./value-looks.ts";

/** Writes the rows of one table over as many pages as they need; the header stands on each of them. */
export interface TableWriter {
  /** Points that a header and so many rows take. */
  startHeight(rows: number): number;
  /** Takes the room of a header and so many rows on the open page, or on the next one. The table before, if there is one, ends. */
  begin(rows: number): Promise<void>;
  row(row: readonly (string | null)[]): void;
  /** Draws one row that goes through all columns. */
  wholeRow(draw: () => void): void;
  /** Whether so many rows, one unless said, fit on the open page; where not, `nextPage` comes first. */
  fits(rows?: number): boolean;
  nextPage(): Promise<void>;
  /** Ends the last table and writes the header that the pages share. */
  finish(): Promise<void>;
}

/** `onPage` draws what a continued page needs above the header. */
export function createTableWriter(
  flow: PageFlow,
  layout: TableLayout,
  numbers: NumberFormat,
  onPage: () => void = () => undefined,
): TableWriter {
  const { canvas } = flow;
  const { palette } = canvas;
  const header = flow.reserveForm();
  const tags = createTableTags(flow, layout.columns.length);
  // Line after line, because cells of one line mostly have one colour.
  const cells = layout.columns
    .map((column, at) => ({ column, at, looks: looksOf(column, palette) }))
    .toSorted((a, b) => a.column.line - b.column.line);
  const leading = layout.columns[0];
  const size = Math.round(layout.size * unitsPerPoint);
  const lineUnits = Math.round(layout.lineHeight * unitsPerPoint);
  const baseline = layout.size * 1.06 + (layout.linesPerRow > 1 ? 3 : 1.75);
  const { contentWidth } = flow.size;
  let striped = false;

  function drawHeader(): void {
    canvas.place(header, 0, flow.y);
    flow.y += layout.headerHeight + 1;
    striped = false;
  }

  /** The header that belongs to the table's structure is the first; those of the pages after it repeat it. */
  function beginTable(): void {
    if (tags === undefined) return drawHeader();
    tags.begin((drawCell) => drawTitles(canvas, layout, { top: flow.y, contentWidth, drawCell }));
    flow.y += layout.headerHeight + 1;
    striped = false;
  }

  const fit = ({ column, maxEm }: PlacedColumn, value: string, text: string, bold: boolean): FittedText =>
    fitCell(canvas.pen, { column, value, text, bold, size, maxEm, numbers });

  const startHeight = (rows: number): number => layout.headerHeight + 1 + rows * layout.rowHeight;

  return {
    startHeight,
    async begin(rows) {
      if (!flow.fits(startHeight(rows))) {
        await flow.nextPage();
        onPage();
      }
      beginTable();
    },
    wholeRow: (draw) => (tags === undefined ? draw() : tags.wholeRow(draw)),
    fits: (rows = 1) => flow.fits(rows * layout.rowHeight),
    async nextPage() {
      tags?.endPage();
      await flow.nextPage();
      onPage();
      drawHeader();
    },
    row(row) {
      if (striped) canvas.fill(margin.left, flow.y, contentWidth, layout.rowHeight, palette.zebra);
      striped = !striped;
      const { pen } = canvas;
      const { buffer } = pen;
      const top = canvas.unitsUp(flow.y + baseline);
      let lastX = 0;
      let lastY = 0;
      let colour = "";
      tags?.beginRow();
      buffer.ascii("BT ");
      for (const { column, at, looks } of cells) {
        const value = row[column.field] ?? null;
        if (value === "") continue;
        const look = value === null ? undefined : looks?.get(value);
        let text = value === null ? nullText : (look?.text ?? column.format(value));
        const bold = column === leading || look?.isBold === true;
        const wanted =
          value === null ? palette.faint : (look?.colour ?? (column.line === 0 ? palette.ink : palette.muted));
        if (wanted !== colour) {
          colour = wanted;
          buffer.ascii(colour);
          buffer.ascii(" rg\n");
        }
        let x = column.leftUnits;
        let cellSize = size;
        if (column.right) {
          let width = pen.measure(text, bold);
          if (width > column.maxEm && value !== null) {
            ({ text, size: cellSize } = fit(column, value, text, bold));
            width = pen.measure(text, bold);
          }
          x = column.rightUnits - Math.round((width * cellSize) / 1000);
        }
        const y = top - column.line * lineUnits;
        buffer.integer(x - lastX);
        buffer.integer(y - lastY);
        buffer.ascii("Td ");
        lastX = x;
        lastY = y;
        tags?.beginCell(at);
        // What begins at the left edge is not measured beforehand: it is set, and taken back where it turns out too wide.
        const isTried = column.isMeasured && !column.right && value !== null;
        if (!isTried || !pen.showWhole(text, bold, size, column.maxEm)) {
          if (isTried) ({ text, size: cellSize } = fit(column, value, text, bold));
          pen.show(text, bold, cellSize, cellSize === size ? column.maxEm : Infinity);
        }
        if (tags !== undefined) buffer.ascii("EMC ");
      }
      buffer.ascii("ET\n");
      tags?.endRow();
      flow.y += layout.rowHeight;
    },
    async finish() {
      tags?.end();
      await flow.writeForm(header, (form) =>
        drawTitles(form, layout, { top: 0, contentWidth, drawCell: (_, draw) => draw() }),
      );
    },
  };
}
