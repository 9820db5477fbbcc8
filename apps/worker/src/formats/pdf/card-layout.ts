import type { PdfCanvas } from "./pdf-canvas.ts";
import type { ColumnWidthEstimate, TableColumn } from "./column-width-estimate.ts";
import { countHighestStackLines, divideIntoStacks, type ColumnStack } from "./column-stacks.ts";
import { pageMarginPoints } from "./paper-size.ts";
import {
  lineHeightFactor,
  toPlacedColumn,
  tableSidePaddingPoints,
  type LabelPosition,
  type TableLayout,
} from "./row-layout.ts";

const maxFontSize = 8;
const smallFontSize = 7.5;
/** Points between the first line, which is on a coloured band, and the other lines. */
const bandGap = 5;
const cardGap = 8;
/** Maximum lines of a card below its first line, so that a card fits on every page below the headings of its group. */
const maxLines = 34;
/** Thousandths of an em between a title and its value, and between a value and the next title. */
const labelGap = 700;
const stackGap = 2_200;
const missingLine = 300;
/** Maximum width of a title in thousandths of an em. A wider title is cut. */
const maxLabelEm = 16_000;

interface Field {
  readonly label: number;
  readonly value: number;
}

export function layOutRowsAsCards(
  canvas: PdfCanvas,
  columns: readonly TableColumn[],
  needs: readonly ColumnWidthEstimate[],
  contentWidth: number,
): TableLayout {
  const width = contentWidth - 2 * tableSidePaddingPoints;
  const fields = columns.map(({ column }, at) => ({
    label: Math.min(canvas.pen.measure(column.title, false), maxLabelEm),
    value: needs[at]!.value,
  }));
  const [first, ...others] = columns;
  const { size: fontSize, stacks } = [maxFontSize, smallFontSize]
    .map((size) => ({ size, stacks: divideFields(fields.slice(1), (width * 1000) / size) }))
    .reduce((large, small) =>
      countHighestStackLines(small.stacks) < countHighestStackLines(large.stacks) ? small : large,
    );
  const points = (em: number): number => (em * fontSize) / 1000;
  const left = pageMarginPoints.left + tableSidePaddingPoints;
  const labels: LabelPosition[] = [{ x: left, width: points(fields[0]!.label) }];
  const start = left + points(fields[0]!.label + labelGap);
  const whole = { line: 0, size: fontSize, right: false, isCentered: false, titleLines: [], wraps: false };
  const placed = [toPlacedColumn(first!, { ...whole, x: start, width: left + width - start })];
  let x = left;
  for (const stack of stacks) {
    const own = fields.slice(stack.first + 1, stack.end + 1);
    const label = points(Math.max(...own.map((field) => field.label)));
    const end = x + points(stack.em);
    const from = x + label + points(labelGap);
    others.slice(stack.first, stack.end).forEach((column, line) => {
      labels.push({ x, width: label });
      placed.push(toPlacedColumn(column, { ...whole, x: from, width: end - from, line: line + 1 }));
    });
    x = end + points(stackGap);
  }
  const linesPerRow = 1 + (others.length === 0 ? 0 : countHighestStackLines(stacks));
  const lineHeight = fontSize * lineHeightFactor;
  return {
    size: fontSize,
    width: contentWidth,
    lineHeight,
    rowHeight: lineHeight * linesPerRow + bandGap + cardGap,
    titleLines: [],
    headerHeight: 0,
    columns: placed,
    linesPerRow,
    labels,
    firstLineGap: bandGap,
    secondLine: 0,
    rowsTogether: 1,
    isRoomy: false,
  };
}

function divideFields(fields: readonly Field[], available: number): ColumnStack[] {
  const stackWidth = (own: readonly Field[]): number =>
    Math.max(...own.map(({ label }) => label)) + labelGap + Math.max(...own.map(({ value }) => value));
  const spareOf = (stacks: readonly ColumnStack[]): number =>
    available - stacks.reduce((sum, { em }) => sum + em + stackGap, -stackGap);
  const divide = (lines: number): ColumnStack[] => {
    const even = divideIntoStacks(fields, lines, { gap: stackGap, stackWidth, missingLine });
    return spareOf(even) >= 0 ? even : divideIntoStacks(fields, lines, { gap: stackGap, stackWidth });
  };
  let stacks = divide(1);
  for (let lines = 2; spareOf(stacks) < 0 && lines <= maxLines; lines++) stacks = divide(lines);
  const spare = spareOf(stacks);
  const total = stacks.reduce((sum, { em }) => sum + em, 0);
  return stacks.map((stack) => ({ ...stack, em: stack.em + spare * (stack.em / total) }));
}
