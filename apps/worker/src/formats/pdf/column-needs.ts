import type { ReportColumn } from "@reports/core/report";
import type { WireRow } from "../../wire/read-rows.ts";
import type { Canvas } from "./canvas.ts";
import { isNumeric, nullText, type CellFormat } from "./cell-format.ts";
import { isShortened, shortestList } from "./fit-cell.ts";

/** The share of the values of a text column that are to be seen whole. */
const seenWhole = 0.97;
/** A text column may be made so much narrower than it would like to be before rows become several lines high. */
const leastShare = 0.5;
/** And the column by which rows are recognised so much. */
const leastShareOfFirst = 0.75;
/** But of its values this share stays whole, unless they are longer than its definition lets expect by this factor. */
const leftWhole = 0.75;
const mostBeyondUsual = 2;
/**
 * Values no wider than some 17 characters are all seen whole, and their column gives no room away: little would be won, and what it holds
 * (regions, names) says little in part. Rows come sorted and grouped, so that those that were not looked at may be longer: where there are
 * such, the column is at least as wide as its definition lets expect, up to this.
 */
const narrow = 10_000;
const averageCharacter = 550;
/** A wider number is set smaller or written in a unit. One number of 100,000 digits must not take the room of all other columns. */
const widestNumber = 30_000;

/** One column of a table before it has a place. */
export interface TableColumn {
  /** Position of the field in a row. */
  readonly field: number;
  readonly column: ReportColumn;
  readonly format: CellFormat;
}

/** The rows by which columns are judged. */
export interface RowSample {
  readonly rows: Iterable<WireRow>;
  /** Whether there are no others. */
  readonly isWhole: boolean;
}

/** Widths of a column in thousandths of an em. */
export interface ColumnNeed {
  /** Shows the title on one line and nearly all values. */
  readonly ample: number;
  /** Shows the title on two lines and nearly all values. */
  readonly full: number;
  /** Below it too much would be shortened. Values that must not be shortened need their full width. */
  readonly least: number;
}

/**
 * What columns need, judged by their titles, their usual widths and the first rows. It keeps none of these: V8 would take rows for long-lived and
 * make all that follow in its old generation.
 */
export function needsOf(canvas: Canvas, columns: readonly TableColumn[], sample: RowSample): ColumnNeed[] {
  const values = columns.map((): (string | null)[] => []);
  for (const row of sample.rows) columns.forEach(({ field }, at) => values[at]!.push(row[field] ?? null));
  return columns.map((column, at) =>
    needOf(canvas, column, { values: values[at]!, isWhole: sample.isWhole, isFirst: at === 0 }),
  );
}

function needOf(
  canvas: Canvas,
  { column, format }: TableColumn,
  given: { readonly values: readonly (string | null)[]; readonly isWhole: boolean; readonly isFirst: boolean },
): ColumnNeed {
  const { values, isWhole, isFirst } = given;
  const usual = column.width * averageCharacter;
  const title = Math.max(...titleInLines(canvas, column.title, 0).map((line) => canvas.pen.measure(line, true))) + 1;
  const wholeTitle = canvas.pen.measure(column.title, true) + 1;
  const bold = isFirst || column.tones !== undefined;
  const widths = widthsOf(canvas, values, format, bold);
  if (!isShortened(column)) {
    const widest = widths.at(-1) ?? usual;
    const full = Math.max(title, isNumeric(column.kind) ? Math.min(widest, widestNumber) : widest);
    return { ample: Math.max(full, wholeTitle), full, least: full };
  }
  const most = Math.max(usual * 1.4, Math.min(quantile(widths, leftWhole) ?? 0, usual * mostBeyondUsual));
  const widest = widths.at(-1) ?? Infinity;
  const expected = isWhole || column.kind === "list" ? 0 : Math.min(usual, narrow);
  const seen = widest <= narrow ? Math.max(widest, expected) : (quantile(widths, seenWhole) ?? usual);
  const full = Math.max(title, Math.min(Math.max(seen, usual * 0.4), most));
  // A list is cut at whole elements: its first one and the number of the others are what is to be seen.
  const telling =
    column.kind === "list" ? widthsOf(canvas, values, (value) => shortestList(column, value), bold) : widths;
  const share = full * (isFirst ? leastShareOfFirst : leastShare);
  const least = full <= narrow ? full : Math.min(full, Math.max(share, quantile(telling, leftWhole) ?? 0));
  return { ample: Math.max(full, wholeTitle), full, least: Math.max(title, least) };
}

/** How wide the values are as they are shown, the narrowest first. */
function widthsOf(
  canvas: Canvas,
  values: readonly (string | null)[],
  shown: (value: string) => string,
  bold: boolean,
): Float64Array {
  return Float64Array.from(values, (value) =>
    canvas.pen.measure(value === null ? nullText : shown(value), bold),
  ).sort();
}

/** The width that no more than this share of the values goes beyond; undefined without values. */
function quantile(widths: Float64Array, share: number): number | undefined {
  return widths[Math.ceil(widths.length * share) - 1];
}

/** Returns the title in one line where it fits, else in two that are as even as can be; the first keeps the space at which it was broken. */
export function titleInLines(canvas: Canvas, title: string, maxEm: number): string[] {
  const { pen } = canvas;
  if (pen.measure(title, true) <= maxEm) return [title];
  const words = title.split(" ");
  const cuts = words.slice(1).map((_, at) => [words.slice(0, at + 1).join(" "), words.slice(at + 1).join(" ")]);
  const width = (lines: readonly string[]): number => Math.max(...lines.map((line) => pen.measure(line, true)));
  const [first = title, second] = cuts.reduce(
    (best, lines) => (width(lines) < width(best) ? lines : best),
    cuts[0] ?? [title],
  );
  return second === undefined ? [first] : [`${first} `, second];
}
