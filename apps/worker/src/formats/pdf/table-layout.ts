import type { ReportColumn } from "@reports/core";
import { unitsPerPoint, type Canvas } from "./canvas.ts";
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
export function layoutTable(
  canvas: Canvas,
  columns: readonly TableColumn[],
  sample: readonly (readonly (string | null)[])[],
): TableLayout {
  const needs = columns.map((column) => neededEm(canvas, column, sample));
  const available = contentWidth - 2 * padding;
  let linesPerRow = 1;
  let size = smallestSize;
  let stacks: readonly Stack[] = [];
  for (; ; linesPerRow++) {
    stacks = narrowestStacks(needs, linesPerRow);
    size = Math.min(largestSize, Math.floor((available / totalEm(stacks)) * 4000) / 4);
    if (size >= smallestSize || linesPerRow === maxLinesPerRow) break;
  }
  size = Math.max(size, smallestSize);
  const stretch = available / totalEm(stacks);
  const placed: PlacedColumn[] = [];
  let x = margin.left + padding;
  for (const stack of stacks) {
    const width = stack.em * stretch;
    columns
      .slice(stack.first, stack.end)
      .forEach((column, line) => placed.push(place(canvas, column, { x, width, line, size })));
    x += width + gap * stretch;
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

function place(
  canvas: Canvas,
  column: TableColumn,
  at: { x: number; width: number; line: number; size: number },
): PlacedColumn {
  return {
    ...column,
    x: at.x,
    width: at.width,
    line: at.line,
    right: isNumeric(column.column.kind),
    titleLines: titleInLines(canvas, column.column.title, (at.width * 1000) / at.size),
    leftUnits: Math.round(at.x * unitsPerPoint),
    rightUnits: Math.round((at.x + at.width) * unitsPerPoint),
    maxEm: (at.width * 1000) / at.size,
  };
}

/** The width that shows the title and nearly all values: what the first rows need, held near the column's usual width. */
function neededEm(
  canvas: Canvas,
  { column, field, format }: TableColumn,
  sample: readonly (readonly (string | null)[])[],
): number {
  const usual = column.width * averageCharacter;
  const title = Math.max(...titleInLines(canvas, column.title, 0).map((line) => canvas.pen.measure(line, true))) + 1;
  if (sample.length === 0) return Math.max(usual, title);
  const widths = sample
    .map((row) => row[field] ?? null)
    .map((value) =>
      canvas.pen.measure(value === null ? nullText : format(value), field === 0 || column.tones !== undefined),
    )
    .sort((a, b) => a - b);
  const seen = widths[Math.ceil(widths.length * 0.97) - 1] ?? 0;
  return Math.max(title, Math.min(Math.max(seen, usual * 0.6), usual * 1.4));
}

/** The title in one line where it fits, else in two that are as even as can be. */
function titleInLines(canvas: Canvas, title: string, maxEm: number): string[] {
  const { pen } = canvas;
  if (pen.measure(title, true) <= maxEm) return [title];
  const words = title.split(" ");
  const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const width = (lines: readonly string[]): number => Math.max(...lines.map((line) => pen.measure(line, true)));
  return cuts.reduce((best, lines) => (width(lines) < width(best) ? lines : best), cuts[0] ?? [title]);
}

/** Neighbours that stand below each other, as wide as the widest of them. */
interface Stack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

/** Divides the columns, in their order, into as few stacks as `lines` allows, and those so that the table is narrowest. */
function narrowestStacks(needs: readonly number[], lines: number): Stack[] {
  const fewest = Math.ceil(needs.length / lines);
  /** By number of stacks, then by number of columns in them: the narrowest way. */
  let ways = new Map<number, { em: number; stacks: Stack[] }>([[0, { em: 0, stacks: [] }]]);
  for (let count = 0; count < fewest; count++) {
    const longer = new Map<number, { em: number; stacks: Stack[] }>();
    for (const [first, way] of ways) {
      for (let end = first + 1; end <= Math.min(first + lines, needs.length); end++) {
        const em = Math.max(...needs.slice(first, end));
        const known = longer.get(end);
        if (known === undefined || way.em + em < known.em)
          longer.set(end, { em: way.em + em, stacks: [...way.stacks, { first, end, em }] });
      }
    }
    ways = longer;
  }
  return ways.get(needs.length)?.stacks ?? [];
}

function totalEm(stacks: readonly Stack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + gap, -gap);
}
