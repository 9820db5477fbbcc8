import { isNumericKind, type ReportColumn } from "@reports/core/report";
import type { PdfCanvas } from "./pdf-canvas.ts";
import { layOutRowsAsCards } from "./card-layout.ts";
import {
  estimateColumnWidths,
  splitTitleIntoLines,
  type ColumnWidthEstimate,
  type RowSample,
  type TableColumn,
} from "./column-width-estimate.ts";
import {
  columnGapMilliEm,
  countHighestStackLines,
  findNarrowestStacks,
  sumStackWidthsMilliEm,
  type ColumnStack,
  type StackableColumn,
} from "./column-stacks.ts";
import { canShortenValues } from "./fit-cell-text.ts";
import { pageMarginPoints } from "./paper-size.ts";
import {
  lineHeightFactor,
  toPlacedColumn,
  tableSidePaddingPoints,
  type PlacedColumn,
  type TableLayout,
} from "./row-layout.ts";

const maxFontSize = 8.5;
const minFontSize = 7;
/**
 * Smallest font size in points for whole texts. If they need a smaller font, they are shortened first. Only then, the font shrinks further, at most
 * to minFontSize.
 */
const comfortableFontSize = 7.5;
const maxLinesPerRow = 2;
const maxTitleLines = 3;
/** A table is stretched to the width of the page if the page is at most this many times as wide. */
const maxFillFactor = 2.6;
/** Factor by which a narrower table is stretched. It does not fill the width of the page, so that rows can be read across. */
const maxStretch = 1.8;
export const layoutSampleRowCount = 300;

/**
 * Measures the columns, and returns the function that lays them out for a width in points. It shortens texts first, then stacks columns, then makes
 * each row a card.
 */
export function prepareTableLayout(
  canvas: PdfCanvas,
  columns: readonly TableColumn[],
  sample: RowSample,
): (contentWidth: number) => TableLayout {
  const needs = estimateColumnWidths(canvas, columns, sample);
  return (contentWidth) =>
    layOutTable(canvas, columns, needs, contentWidth) ?? layOutRowsAsCards(canvas, columns, needs, contentWidth);
}

function layOutTable(
  canvas: PdfCanvas,
  columns: readonly TableColumn[],
  needs: readonly ColumnWidthEstimate[],
  contentWidth: number,
): TableLayout | null {
  const available = contentWidth - 2 * tableSidePaddingPoints;
  const arranged = arrangeColumns(needs, columns.map(columnEdge), available);
  if (arranged === null) return null;
  const { size, stacks, isRoomy } = arranged;
  const linesPerRow = countHighestStackLines(stacks);
  const toFill = (available * 1000) / size / sumStackWidthsMilliEm(stacks);
  const stretch = toFill > maxFillFactor ? maxStretch : toFill;
  const placed: PlacedColumn[] = [];
  let x = pageMarginPoints.left + tableSidePaddingPoints;
  for (const stack of stacks) {
    const width = (stack.em * stretch * size) / 1000;
    const own = columns.slice(stack.first, stack.end);
    const right = own.every(({ column }) => endsAtRight(column));
    const isCentered = own[0]?.column.align === "center";
    own.forEach((column, line) => {
      const titleLines = splitTitleIntoLines(canvas, column.column.title, (width * 1000) / size);
      // A list needs no second line, because it is shortened to whole elements and the number of the others.
      const wraps =
        !right &&
        !isCentered &&
        column.column.kind === "text" &&
        canShortenValues(column.column) &&
        line === own.length - 1;
      placed.push(toPlacedColumn(column, { x, width, line, size, right, isCentered, titleLines, wraps }));
    });
    x += width + (columnGapMilliEm * stretch * size) / 1000;
  }
  const titleLines = Array.from({ length: linesPerRow }, (_, line) =>
    Math.max(1, ...placed.filter((column) => column.line === line).map((column) => column.titleLines.length)),
  );
  const headerLines = titleLines.reduce((sum, lines) => sum + lines, 0);
  if (linesPerRow > 1 && headerLines > maxTitleLines) return null;
  const lineHeight = size * lineHeightFactor;
  return {
    size,
    width: (sumStackWidthsMilliEm(stacks) * stretch * size) / 1000 + 2 * tableSidePaddingPoints,
    lineHeight,
    rowHeight: lineHeight * linesPerRow + (linesPerRow > 1 ? 6 : 3.5),
    titleLines,
    headerHeight: headerLines * lineHeight + 6,
    columns: placed,
    linesPerRow,
    labels: null,
    firstLineGap: 0,
    secondLine: placed.some(({ wraps, line }) => wraps && line === linesPerRow - 1) ? lineHeight : 0,
    rowsTogether: 3,
    isRoomy,
  };
}

/**
 * Returns the edge to which the values of a column are aligned. A bare Yes or No needs its title above it. Ports are right-aligned like numbers, but
 * not in a stack with text.
 */
function columnEdge({ column }: TableColumn): StackableColumn["edge"] {
  if (column.kind === "boolean" || column.align === "center") return "alone";
  if (!endsAtRight(column)) return "left";
  return column.plainDigits === true && column.align === undefined ? "either" : "right";
}

function endsAtRight({ kind, align }: ReportColumn): boolean {
  return align === undefined ? isNumericKind(kind) : align === "end";
}

interface Arrangement {
  readonly size: number;
  readonly stacks: readonly ColumnStack[];
  readonly isRoomy: boolean;
}

/**
 * Returns the font size and the stacks of columns for a width of `available` points. Returns null if a row would need more lines than a table allows.
 */
function arrangeColumns(
  needs: readonly ColumnWidthEstimate[],
  edges: readonly StackableColumn["edge"][],
  available: number,
): Arrangement | null {
  const stacksOf = (need: "ample" | "full" | "least", lines: number): ColumnStack[] =>
    findNarrowestStacks(
      needs.map((own, at) => ({ em: own[need], edge: edges[at]! })),
      lines,
    );
  /** Returns the largest font size, a multiple of 0.25 points, at which columns fit on the page. `em` is their total width in thousandths of an em. */
  const sizeFor = (em: number): number => Math.min(maxFontSize, Math.floor((available / em) * 4000) / 4);
  const ample = stacksOf("ample", 1);
  if (sizeFor(sumStackWidthsMilliEm(ample)) === maxFontSize) return { size: maxFontSize, stacks: ample, isRoomy: true };
  for (let lines = 1; lines <= maxLinesPerRow; lines++) {
    const full = stacksOf("full", lines);
    const size = sizeFor(sumStackWidthsMilliEm(full));
    if (size >= comfortableFontSize) return { size, stacks: full, isRoomy: lines === 1 };
    const least = stacksOf("least", lines);
    const smaller = Math.min(comfortableFontSize, sizeFor(sumStackWidthsMilliEm(least)));
    // Columns that don't fit at the smallest size get one more line. A single column can't be stacked: its numbers are rounded and its texts are cut.
    if (smaller < minFontSize && needs.length > 1) continue;
    const used = Math.max(smaller, minFontSize);
    return { size: used, stacks: distributeSpareWidth(needs, least, (available * 1000) / used), isRoomy: false };
  }
  return null;
}

function distributeSpareWidth(
  needs: readonly ColumnWidthEstimate[],
  stacks: readonly ColumnStack[],
  availableEm: number,
): ColumnStack[] {
  const wish = (stack: ColumnStack): number =>
    Math.max(...needs.slice(stack.first, stack.end).map(({ full }) => full)) - stack.em;
  const lacking = stacks.reduce((sum, stack) => sum + wish(stack), 0);
  const share = Math.min(1, Math.max(0, availableEm - sumStackWidthsMilliEm(stacks)) / Math.max(1, lacking));
  return stacks.map((stack) => ({ ...stack, em: stack.em + wish(stack) * share }));
}
