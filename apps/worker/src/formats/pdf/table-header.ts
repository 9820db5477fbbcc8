import type { PdfCanvas } from "./pdf-canvas.ts";
import { pageMarginPoints } from "./paper-size.ts";
import type { TableLayout } from "./row-layout.ts";

export function drawColumnTitles(
  canvas: PdfCanvas,
  layout: TableLayout,
  given: {
    readonly top: number;
    readonly drawCell: (column: number, draw: () => void) => void;
  },
): void {
  const bottom = given.top + layout.headerHeight;
  canvas.fill(pageMarginPoints.left, given.top, layout.width, layout.headerHeight, canvas.palette.headerFill);
  canvas.path(
    [
      [pageMarginPoints.left, bottom],
      [pageMarginPoints.left + layout.width, bottom],
    ],
    canvas.palette.accent,
    { lineWidth: 0.8 },
  );
  let top = given.top + 3;
  layout.titleLines.forEach((count, line) => {
    for (const [index, column] of layout.columns.entries()) {
      if (column.line !== line) continue;
      const first = line === 0 ? count - column.titleLines.length : 0;
      given.drawCell(index, () =>
        column.titleLines.forEach((title, at) => {
          canvas.text(
            column.x + (column.right ? column.width : column.isCentered ? column.width / 2 : 0),
            top + (first + at) * layout.lineHeight + layout.size * 1.03,
            title,
            {
              size: layout.size,
              bold: line === 0,
              colour: line === 0 ? canvas.palette.ink : canvas.palette.muted,
              align: column.right ? "right" : column.isCentered ? "centre" : "left",
              maxWidth: column.width,
            },
          );
        }),
      );
    }
    top += count * layout.lineHeight;
  });
}
