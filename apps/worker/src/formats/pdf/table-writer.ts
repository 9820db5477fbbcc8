import type { Canvas } from "./canvas.ts";
import { unitsPerPoint } from "./canvas.ts";
import { nullText } from "./cell-format.ts";
import { contentWidth, margin, type PageFlow } from "./page-flow.ts";
import { accent, faint, headerFill, ink, muted, toneText, zebra, type Colour } from "./palette.ts";
import type { PlacedColumn, TableLayout } from "./table-layout.ts";

const secondLine: Colour = "0.25 0.3 0.36";

/** Writes the rows of one table over as many pages as they need; the header stands on each of them. */
export interface TableWriter {
  /** Points that a header and so many rows take. */
  startHeight(rows: number): number;
  /** Takes the room of a header and so many rows on the open page, or on the next one. */
  begin(rows: number): Promise<void>;
  row(row: readonly (string | null)[]): void;
  /** Whether a row fits on the open page; where not, `nextPage` comes first. */
  fits(): boolean;
  nextPage(): Promise<void>;
  /** Writes the header that the pages share. */
  finish(): Promise<void>;
}

/** `onPage` draws what a continued page needs above the header. */
export function createTableWriter(
  flow: PageFlow,
  layout: TableLayout,
  onPage: () => void = () => undefined,
): TableWriter {
  const { canvas } = flow;
  const header = flow.reserveForm();
  // Line after line, because cells of one line mostly have one colour.
  const cells = layout.columns
    .map((column) => ({ column, tones: column.column.tones }))
    .toSorted((a, b) => a.column.line - b.column.line);
  const leading = layout.columns[0];
  const size = Math.round(layout.size * unitsPerPoint);
  const lineUnits = Math.round(layout.lineHeight * unitsPerPoint);
  const baseline = layout.size * 1.06 + (layout.linesPerRow > 1 ? 3 : 2);
  let striped = false;

  function drawHeader(): void {
    canvas.place(header, 0, flow.y);
    flow.y += layout.headerHeight + 1;
    striped = false;
  }

  const startHeight = (rows: number): number => layout.headerHeight + 1 + rows * layout.rowHeight;

  return {
    startHeight,
    async begin(rows) {
      if (!flow.fits(startHeight(rows))) {
        await flow.nextPage();
        onPage();
      }
      drawHeader();
    },
    fits: () => flow.fits(layout.rowHeight),
    async nextPage() {
      await flow.nextPage();
      onPage();
      drawHeader();
    },
    row(row) {
      if (striped) canvas.fill(margin.left, flow.y, contentWidth, layout.rowHeight, zebra);
      striped = !striped;
      const { pen } = canvas;
      const { buffer } = pen;
      const top = canvas.unitsUp(flow.y + baseline);
      let lastX = 0;
      let lastY = 0;
      let colour = "";
      buffer.ascii("BT ");
      for (const { column, tones } of cells) {
        const value = row[column.field] ?? null;
        if (value === "") continue;
        const text = value === null ? nullText : column.format(value);
        const tone = value === null ? undefined : tones?.[value];
        const bold = column === leading || tone === "bad" || tone === "warn";
        const wanted =
          value === null ? faint : tone === undefined ? (column.line === 0 ? ink : secondLine) : toneText[tone];
        if (wanted !== colour) {
          colour = wanted;
          buffer.ascii(colour);
          buffer.ascii(" rg\n");
        }
        const x = column.right ? startOfRight(canvas, column, text, bold, size) : column.leftUnits;
        const y = top - column.line * lineUnits;
        buffer.integer(x - lastX);
        buffer.integer(y - lastY);
        buffer.ascii("Td ");
        lastX = x;
        lastY = y;
        pen.show(text, bold, size, column.maxEm);
      }
      buffer.ascii("ET\n");
      flow.y += layout.rowHeight;
    },
    finish: () => flow.writeForm(header, (form) => writeHeader(form, layout)),
  };
}

function startOfRight(canvas: Canvas, column: PlacedColumn, text: string, bold: boolean, size: number): number {
  const width = canvas.pen.measure(text, bold);
  return width > column.maxEm ? column.leftUnits : column.rightUnits - Math.round((width * size) / 1000);
}

function writeHeader(canvas: Canvas, layout: TableLayout): void {
  canvas.fill(margin.left, 0, contentWidth, layout.headerHeight, headerFill);
  canvas.path(
    [
      [margin.left, layout.headerHeight],
      [margin.left + contentWidth, layout.headerHeight],
    ],
    accent,
    { lineWidth: 0.8 },
  );
  let top = 3;
  layout.titleLines.forEach((count, line) => {
    for (const column of layout.columns.filter((candidate) => candidate.line === line)) {
      const first = line === 0 ? count - column.titleLines.length : 0;
      column.titleLines.forEach((title, at) => {
        canvas.text(
          column.right ? column.x + column.width : column.x,
          top + (first + at) * layout.lineHeight + layout.size * 1.03,
          title,
          {
            size: layout.size,
            bold: line === 0,
            colour: line === 0 ? ink : muted,
            align: column.right ? "right" : "left",
            maxWidth: column.width,
          },
        );
      });
    }
    top += count * layout.lineHeight;
  });
}
