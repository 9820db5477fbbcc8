import type { ReportColumn } from "@reports/core";
import { unitsPerPoint, wrapText, type Canvas } from "./canvas.ts";
import { isNumeric, nullText, type CellFormat } from "./cell-format.ts";
import { contentWidth, margin } from "./page-flow.ts";

/** One column of a table before it has a place. */
export interface TableColumn {
  /** Position of the field in a row. */
  readonly field: number;
  readonly column: ReportColumn;
  readonly format: CellFormat;
}

/** A column that has its place. Lengths in points, but for those that the row writer needs in the page's units. */
export interface PlacedColumn extends TableColumn {
  readonly x: number;
  readonly width: number;
  /** Which line of a record it stands in. */
  readonly line: number;
  readonly right: boolean;
  readonly titleLines: readonly string[];
  readonly leftUnits: number;
  readonly rightUnits: number;
  /** Thousandths of an em. */
  readonly maxEm: number;
}

/** Where everything of a table stands; the same on every page. */
export interface TableLayout {
  readonly size: number;
  readonly lineHeight: number;
  readonly rowHeight: number;
  /** Lines of titles above each line of a record. */
  readonly titleLines: readonly number[];
  readonly headerHeight: number;
  readonly columns: readonly PlacedColumn[];
  readonly linesPerRow: number;
}

const largestSize = 8.5;
const smallestSize = 7;
const maxLinesPerRow = 4;
/** Thousandths of an em. */
const gap = 1100;
const averageCharacter = 550;
const padding = 4;
/** Rows by which the widths of columns are judged. */
export const sampleRows = 300;

/**
 * Shares the page's width among the columns by their titles, their usual widths and the first rows. Columns that do not fit side by side in a
 * readable size are stacked: neighbours stand below each other in a record of two or more lines, so that nothing is left out.
 */
export function layoutTable(canvas: Canvas, columns: readonly TableColumn[], sample: readonly (readonly (string | null)[])[]): TableLayout {
  const needs = columns.map((column) => neededEm(canvas, column, sample));
  const available = contentWidth - 2 * padding;
  let linesPerRow = 1;
  let size = smallestSize;
  for (; ; linesPerRow++) {
    size = Math.min(largestSize, Math.floor((available / totalEm(needs, linesPerRow)) * 4000) / 4);
    if (size >= smallestSize || linesPerRow === maxLinesPerRow) break;
  }
  size = Math.max(size, smallestSize);
  const total = totalEm(needs, linesPerRow);
  const stretch = available / total;
  const placed: PlacedColumn[] = [];
  let x = margin.left + padding;
  for (let first = 0; first < columns.length; first += linesPerRow) {
    const share = (stackEm(needs, first, linesPerRow) + gap) * stretch;
    const width = share - (gap * size) / 1000;
    columns.slice(first, first + linesPerRow).forEach((column, line) => placed.push(place(canvas, column, { x, width, line, size })));
    x += share;
  }
  const titleLines = Array.from({ length: linesPerRow }, (_, line) =>
    Math.max(1, ...placed.filter((column) => column.line === line).map((column) => column.titleLines.length)),
  );
  const lineHeight = size * 1.36;
  return {
    size,
    lineHeight,
    rowHeight: lineHeight * linesPerRow + (linesPerRow > 1 ? 6 : 4),
    titleLines,
    headerHeight: titleLines.reduce((sum, lines) => sum + lines, 0) * lineHeight + 6,
    columns: placed,
    linesPerRow,
  };
}

function place(canvas: Canvas, column: TableColumn, at: { x: number; width: number; line: number; size: number }): PlacedColumn {
  return {
    ...column,
    x: at.x,
    width: at.width,
    line: at.line,
    right: isNumeric(column.column.kind),
    titleLines: wrapText(canvas, column.column.title, at.size, at.width, true),
    leftUnits: Math.round(at.x * unitsPerPoint),
    rightUnits: Math.round((at.x + at.width) * unitsPerPoint),
    maxEm: (at.width * 1000) / at.size,
  };
}

/** The width that shows the title's longest word and nearly all values: what the first rows need, held near the column's usual width. */
function neededEm(canvas: Canvas, { column, field, format }: TableColumn, sample: readonly (readonly (string | null)[])[]): number {
  const usual = column.width * averageCharacter;
  const word = Math.max(...column.title.split(" ").map((part) => canvas.pen.measure(part, true)));
  if (sample.length === 0) return Math.max(usual, word);
  const widths = sample
    .map((row) => row[field] ?? null)
    .map((value) => canvas.pen.measure(value === null ? nullText : format(value), column.tones !== undefined))
    .sort((a, b) => a - b);
  const seen = widths[Math.ceil(widths.length * 0.97) - 1] ?? 0;
  return Math.max(word, Math.min(Math.max(seen, usual * 0.6), usual * 1.4));
}

function stackEm(needs: readonly number[], first: number, lines: number): number {
  return Math.max(...needs.slice(first, first + lines));
}

function totalEm(needs: readonly number[], lines: number): number {
  let total = -gap;
  for (let first = 0; first < needs.length; first += lines) total += stackEm(needs, first, lines) + gap;
  return total;
}
