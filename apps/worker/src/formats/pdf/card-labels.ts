import type { PdfCanvas } from "./pdf-canvas.ts";
import { pageMarginPoints } from "./paper-size.ts";
import type { TableLayout } from "./row-layout.ts";

export function drawCardLabels(
  canvas: PdfCanvas,
  layout: TableLayout,
  given: {
    readonly top: number;
    readonly drawCell: (column: number, draw: () => void) => void;
  },
): void {
  const { size, lineHeight } = layout;
  canvas.fill(pageMarginPoints.left, given.top, layout.width, lineHeight + 3, canvas.palette.headerFill);
  layout.columns.forEach(({ column, line }, at) => {
    const { x, width } = layout.labels![at]!;
    const y = given.top + computeCardBaseline(size) + line * lineHeight + (line > 0 ? layout.firstLineGap : 0);
    given.drawCell(at, () =>
      // The longest title is exactly as wide as its space, so a rounding error could cut it.
      canvas.text(x, y, column.title, { size, colour: canvas.palette.muted, maxWidth: width + 0.1 }),
    );
  });
}

export function computeCardBaseline(size: number): number {
  return size * 1.06 + 2;
}
