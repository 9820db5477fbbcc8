import { isNumericKind, type ReportColumn } from "@reports/core/report";
import type { WireRow } from "../../wire/read-rows.ts";
import type { PdfCanvas } from "./pdf-canvas.ts";
import { nullCellText, type CellFormatter } from "./cell-formatter.ts";
import { canShortenValues, shortenToFirstElement } from "./fit-cell-text.ts";

/** Share of a text column's values that the preferred width shows in full. */
const completeTextShare = 0.97;
/** Share of its full width to which a text column may shrink. If columns still do not fit, some are placed below each other. */
const minTextShare = 0.5;
/** Share of its full width to which the first column may shrink: more than other columns, because readers recognise rows by it. */
const minFirstColumnShare = 0.75;
/** Share of a column's values that are never shortened, unless they are longer than maxUsualFactor times the usual length. */
const neverShortenedShare = 0.75;
const maxUsualFactor = 2;
/** In a card, a text of at most this many times the usual length is shown in full. */
const maxCardFactor = 2.6;
/**
 * Columns up to this width never shrink: thousandths of an em, about 17 characters. If only a sample of the rows is known, a column gets its expected
 * width, up to this limit.
 */
const neverShrunkEm = 10_000;
const averageCharacterEm = 550;
/** Maximum width of a number in thousandths of an em. Wider numbers are written smaller or with a unit, so that other columns keep space. */
const maxNumberEm = 30_000;

export interface TableColumn {
  readonly field: number;
  readonly column: ReportColumn;
  readonly format: CellFormatter;
  /** Index of the field with the URLs to which the column's values link; -1 for a column without links. */
  readonly linkField: number;
  /** Index of the field with the currency of the row's amount; -1 if rows do not contain the currency. */
  readonly currencyField: number;
}

export interface RowSample {
  readonly rows: Iterable<WireRow>;
  readonly isWhole: boolean;
}

export interface ColumnWidthEstimate {
  /** Width in thousandths of an em that shows the title on one line, and nearly all values in full. */
  readonly ample: number;
  /** Width in thousandths of an em that shows the title on two lines, and nearly all values in full. */
  readonly full: number;
  /** Minimum useful width in thousandths of an em. It equals `full` for values that must not be shortened. */
  readonly least: number;
  /** Width in thousandths of an em that shows nearly all values in full, without space for the title. On a card, the title is next to the value. */
  readonly value: number;
}

/** Estimates the widths that columns need. It keeps values but no rows. Otherwise, V8 would allocate all later rows in its old generation. */
export function estimateColumnWidths(
  canvas: PdfCanvas,
  columns: readonly TableColumn[],
  sample: RowSample,
): ColumnWidthEstimate[] {
  const values = columns.map((): (string | null)[] => []);
  for (const row of sample.rows)
    columns.forEach((column, at) =>
      values[at]!.push(column.currencyField < 0 ? (row[column.field] ?? null) : formatCell(column, row)),
    );
  return columns.map((column, at) =>
    estimateNeed(canvas, column, { values: values[at]!, isWhole: sample.isWhole, isFirst: at === 0 }),
  );
}

export function formatCell({ field, currencyField, format }: TableColumn, row: WireRow): string | null {
  const value = row[field] ?? null;
  return value === null ? null : format(value, currencyField < 0 ? null : row[currencyField]);
}

function estimateNeed(
  canvas: PdfCanvas,
  { column, format, currencyField }: TableColumn,
  given: { readonly values: readonly (string | null)[]; readonly isWhole: boolean; readonly isFirst: boolean },
): ColumnWidthEstimate {
  const { values, isWhole, isFirst } = given;
  const usual = column.width * averageCharacterEm;
  const title =
    Math.max(...splitTitleIntoLines(canvas, column.title, 0).map((line) => canvas.pen.measure(line, true))) + 1;
  const wholeTitle = canvas.pen.measure(column.title, true) + 1;
  const bold = isFirst || column.tones !== undefined || column.tonesByNumber !== undefined;
  // Rows outside the sample can have any value with a title or a tone, so the widths of all these values count.
  const possible = isWhole ? [] : Object.keys({ ...column.titles, ...column.tones });
  const widths = measureWidths(canvas, [...values, ...possible], currencyField < 0 ? format : (text) => text, bold);
  if (!canShortenValues(column)) {
    const widest = widths.at(-1) ?? usual;
    const value = isNumericKind(column.kind) ? Math.min(widest, maxNumberEm) : widest;
    const full = Math.max(title, value);
    return { ample: Math.max(full, wholeTitle), full, least: full, value };
  }
  const most = Math.max(usual * 1.4, Math.min(quantile(widths, neverShortenedShare) ?? 0, usual * maxUsualFactor));
  const widest = widths.at(-1) ?? Infinity;
  const expected = isWhole || column.kind === "list" ? 0 : Math.min(usual, neverShrunkEm);
  const seen = widest <= neverShrunkEm ? Math.max(widest, expected) : (quantile(widths, completeTextShare) ?? usual);
  const value = Math.min(Math.max(seen, usual * 0.4), most);
  const full = Math.max(title, value);
  // A list must show its first element and the number of its other elements.
  const essential =
    column.kind === "list"
      ? measureWidths(canvas, values, (value) => shortenToFirstElement(column, value), bold)
      : widths;
  const share = full * (isFirst ? minFirstColumnShare : minTextShare);
  const least =
    full <= neverShrunkEm ? full : Math.min(full, Math.max(share, quantile(essential, neverShortenedShare) ?? 0));
  return {
    ample: Math.max(full, wholeTitle),
    full,
    least: Math.max(title, least),
    value: Math.min(Math.max(seen, usual * 0.4), usual * maxCardFactor),
  };
}

function measureWidths(
  canvas: PdfCanvas,
  values: readonly (string | null)[],
  shown: (value: string) => string,
  bold: boolean,
): Float64Array {
  return Float64Array.from(values, (value) =>
    canvas.pen.measure(value === null ? nullCellText : shown(value), bold),
  ).sort();
}

function quantile(widths: Float64Array, share: number): number | undefined {
  return widths[Math.ceil(widths.length * share) - 1];
}

export function splitTitleIntoLines(canvas: PdfCanvas, title: string, maxEm: number): string[] {
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
