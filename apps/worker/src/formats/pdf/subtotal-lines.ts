import type { FigureDefinition } from "@reports/core/report";
import { createCellFormatter, nullCellText, type CellFormatContext } from "./cell-formatter.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";

const fontSize = 8.5;
const lineHeight = 12;
const firstBaseline = 5;
const spaceBelow = 3;
const indent = 4;
const gap = 18;
/** Points that are reserved for a value, which is known only at the end of the group. */
const valueWidth = 76;

/** The subtotals below the heading of a group. Each is a PDF form object, because the values are known only at the end of the group. */
export interface SubtotalLines {
  readonly height: number;
  place(): number;
  write(form: number, values: readonly (string | null)[]): Promise<void>;
}

export function layOutSubtotals(
  flow: PageFlow,
  figures: readonly FigureDefinition[],
  conventions: CellFormatContext,
): SubtotalLines {
  const { canvas, size } = flow;
  const { words } = conventions;
  const width = size.contentWidth - 2 * indent;
  const textOf = (title: string, value: string): string => words.text("groupTitle", { column: title, value });
  const needed = figures.map(({ title }) => canvas.width(textOf(title, ""), fontSize) + valueWidth);
  const cell = Math.min(width, Math.max(...needed));
  const perLine = Math.max(1, Math.floor((width + gap) / (cell + gap)));
  const lines = Math.ceil(figures.length / perLine);
  const formats = figures.map((figure) => createCellFormatter(figure, conventions));
  return {
    height: lines * lineHeight + spaceBelow,
    place() {
      const form = flow.reserveForm();
      flow.tag("P", () => canvas.place(form, pageMarginPoints.left + indent, flow.y + firstBaseline));
      flow.y += lines * lineHeight + spaceBelow;
      return form;
    },
    write: (form, values) =>
      flow.writeForm(form, (drawn) =>
        figures.forEach(({ title }, at) => {
          const value = values[at] ?? null;
          const text = textOf(title, value === null ? nullCellText : formats[at]!(value));
          // A number that does not fit is written smaller and never cut.
          const share = Math.min(1, cell / Math.max(1, drawn.width(text, fontSize)));
          const x = (at % perLine) * (cell + gap);
          drawn.text(x, Math.floor(at / perLine) * lineHeight, text, { size: fontSize * share });
        }),
      ),
  };
}
