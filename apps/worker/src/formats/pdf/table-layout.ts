import { unitsPerPoint, type Canvas } from "./canvas.ts";
import { isNumeric } from "./cell-format.ts";
import { estimateNeeds, splitTitle, type ColumnNeed, type RowSample, type TableColumn } from "./column-needs.ts";
import {
  columnGap,
  countLines,
  findNarrowestStacks,
  totalWidthEm,
  type Stack,
  type StackedColumn,
} from "./column-stacks.ts";
import { mayBeShortened } from "./fit-cell.ts";
import { margin } from "./paper-size.ts";

/** A column with its position. Lengths are in points, except those that the row writer needs in page units. */
export interface PlacedColumn extends TableColumn {
  readonly x: number;
  readonly width: number;
  readonly line: number;
  readonly right: boolean;
  /** Whether a left-aligned value must be measured, because it may not simply be cut at its end. */
  readonly isMeasured: boolean;
  readonly titleLines: readonly string[];
  readonly leftUnits: number;
  readonly rightUnits: number;
  readonly maxEm: number;
}

export interface TableLayout {
  readonly size: number;
  /** Points from the left edge of the content to the end of the last column. */
  readonly width: number;
  readonly lineHeight: number;
  readonly rowHeight: number;
  /** For each line of a record, the number of lines of its column titles. */
  readonly titleLines: readonly number[];
  readonly headerHeight: number;
  readonly columns: readonly PlacedColumn[];
  readonly linesPerRow: number;
  /** Whether nearly all values fit completely, with one line per record. */
  readonly isRoomy: boolean;
}

const maxFontSize = 8.5;
const minFontSize = 7;
/** Font size below which texts are shortened instead of being written smaller. */
const comfortableFontSize = 7.5;
const maxLinesPerRow = 4;
/** A table is stretched to the page's width if the page is at most this many times wider. */
const maxFillFactor = 2.6;
/** Narrower tables are stretched at most by this factor, so that rows can be read across. */
const maxStretch = 1.8;
const cellPadding = 4;
export const sampleRowCount = 300;

/** Measures the columns, and returns the function that lays them out for a page's width. First shortens texts, then stacks columns. */
export function measureTable(
  canvas: Canvas,
  columns: readonly TableColumn[],
  sample: RowSample,
): (contentWidth: number) => TableLayout {
  const needs = estimateNeeds(canvas, columns, sample);
  return (contentWidth) => layoutTable(canvas, columns, needs, contentWidth);
}

function layoutTable(
  canvas: Canvas,
  columns: readonly TableColumn[],
  needs: readonly ColumnNeed[],
  contentWidth: number,
): TableLayout {
  const available = contentWidth - 2 * cellPadding;
  const { size, stacks, isRoomy } = arrangeColumns(needs, columns.map(columnEdge), available);
  const linesPerRow = countLines(stacks);
  const toFill = (available * 1000) / size / totalWidthEm(stacks);
  const stretch = toFill > maxFillFactor ? maxStretch : toFill;
  const placed: PlacedColumn[] = [];
  let x = margin.left + cellPadding;
  for (const stack of stacks) {
    const width = (stack.em * stretch * size) / 1000;
    const own = columns.slice(stack.first, stack.end);
    const right = own.every(({ column }) => isNumeric(column.kind));
    own.forEach((column, line) => placed.push(placeColumns(canvas, column, { x, width, line, size, right })));
    x += width + (columnGap * stretch * size) / 1000;
  }
  const titleLines = Array.from({ length: linesPerRow }, (_, line) =>
    Math.max(1, ...placed.filter((column) => column.line === line).map((column) => column.titleLines.length)),
  );
  const lineHeight = size * 1.36;
  return {
    size,
    width: (totalWidthEm(stacks) * stretch * size) / 1000 + 2 * cellPadding,
    lineHeight,
    rowHeight: lineHeight * linesPerRow + (linesPerRow > 1 ? 6 : 3.5),
    titleLines,
    headerHeight: titleLines.reduce((sum, lines) => sum + lines, 0) * lineHeight + 6,
    columns: placed,
    linesPerRow,
    isRoomy,
  };
}

/** Returns the edge of a column. Digits that are names (ports) are right-aligned like numbers, but left-aligned if stacked with text. */
function columnEdge({ column: { kind, plainDigits } }: TableColumn): StackedColumn["edge"] {
  if (!isNumeric(kind)) return "left";
  return plainDigits === true ? "either" : "right";
}

interface Arrangement {
  readonly size: number;
  readonly stacks: readonly Stack[];
  readonly isRoomy: boolean;
}

function arrangeColumns(
  needs: readonly ColumnNeed[],
  edges: readonly StackedColumn["edge"][],
  available: number,
): Arrangement {
  const stacksOf = (need: keyof ColumnNeed, lines: number): Stack[] =>
    findNarrowestStacks(
      needs.map((own, at) => ({ em: own[need], edge: edges[at]! })),
      lines,
    );
  /** Returns the largest font size at which columns of this total width fit on the page. Sizes are multiples of 0.25 points. */
  const sizeFor = (em: number): number => Math.min(maxFontSize, Math.floor((available / em) * 4000) / 4);
  const ample = stacksOf("ample", 1);
  if (sizeFor(totalWidthEm(ample)) === maxFontSize) return { size: maxFontSize, stacks: ample, isRoomy: true };
  for (let lines = 1; ; lines++) {
    const full = stacksOf("full", lines);
    const size = sizeFor(totalWidthEm(full));
    if (size >= comfortableFontSize) return { size, stacks: full, isRoomy: lines === 1 };
    const least = stacksOf("least", lines);
    const smaller = Math.min(comfortableFontSize, sizeFor(totalWidthEm(least)));
    if (smaller < minFontSize && lines < maxLinesPerRow) continue;
    // At the smallest size, numbers are rounded and texts are cut to fit.
    const used = Math.max(smaller, minFontSize);
    return { size: used, stacks: distributeSpareWidth(needs, least, (available * 1000) / used), isRoomy: false };
  }
}

/** Distributes the remaining width over the stacks, in proportion to the width that each lacks. */
function distributeSpareWidth(needs: readonly ColumnNeed[], stacks: readonly Stack[], availableEm: number): Stack[] {
  const wish = (stack: Stack): number =>
    Math.max(...needs.slice(stack.first, stack.end).map(({ full }) => full)) - stack.em;
  const lacking = stacks.reduce((sum, stack) => sum + wish(stack), 0);
  const share = Math.min(1, Math.max(0, availableEm - totalWidthEm(stacks)) / Math.max(1, lacking));
  return stacks.map((stack) => ({ ...stack, em: stack.em + wish(stack) * share }));
}

function placeColumns(
  canvas: Canvas,
  column: TableColumn,
  at: { x: number; width: number; line: number; size: number; right: boolean },
): PlacedColumn {
  return {
    ...column,
    x: at.x,
    width: at.width,
    line: at.line,
    right: at.right,
    isMeasured: !mayBeShortened(column.column) || column.column.keepsEnd === true || column.column.kind === "list",
    titleLines: splitTitle(canvas, column.column.title, (at.width * 1000) / at.size),
    leftUnits: Math.round(at.x * unitsPerPoint),
    rightUnits: Math.round((at.x + at.width) * unitsPerPoint),
    maxEm: (at.width * 1000) / at.size,
  };
}
