import { wrapText } from "./pdf-canvas.ts";
import type { TableColumn } from "./column-width-estimate.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";

const fontSize = 8.5;
const lineHeight = 12;

export function describeOmittedColumns(
  flow: PageFlow,
  columns: readonly TableColumn[],
): { readonly height: number; draw(): void } {
  if (columns.length === 0) return { height: 0, draw: () => undefined };
  const titles = columns.map(({ column }) => column.title).join(", ");
  const text = flow.words.text("noRowHasValue", { columns: titles });
  const lines = wrapText(flow.canvas, text, fontSize, flow.size.contentWidth);
  return {
    height: lines.length * lineHeight + 4,
    draw() {
      flow.tag("P", () => {
        for (const line of lines) {
          flow.canvas.text(pageMarginPoints.left, flow.y + 6, line, {
            size: fontSize,
            colour: flow.canvas.palette.muted,
          });
          flow.y += lineHeight;
        }
      });
      flow.y += 4;
    },
  };
}
