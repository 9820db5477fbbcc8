import { truncateToWidth, measureWidthCells } from "./measure-width-cells.ts";
import { formatTimeFromNow } from "./format-amount.ts";
import { toSafeText } from "./to-safe-text.ts";
import { wrapText } from "./wrap-text.ts";

export interface TableColumn<Row> {
  readonly heading: string;
  readonly text: (row: Row) => string;
  readonly align?: "right";
  /** A terminal shows an `age`, which is a time, relative to now. It shortens an `id` before it omits columns. */
  readonly kind?: "age" | "id";
  /** On a narrow terminal, texts of this column are cut, to at least this many cells. */
  readonly cutsTo?: number;
  /** On a narrow terminal, texts of this column are wrapped, to lines of at least this many cells. */
  readonly wrapsTo?: number;
  /** On a narrow terminal, columns with the highest `spare` are narrowed first. If that is not enough, they are omitted first. */
  readonly spare?: number;
}

export interface FormattedTable {
  readonly lines: readonly string[];
  readonly omitted: readonly string[];
  /** Whether the remaining columns fit into the width. If not, the caller prints the rows with formatExpandedRows. */
  readonly fits: boolean;
}

export interface FormatTableOptions {
  readonly width: number;
  readonly now: number;
}

const columnGap = 2;

/** A shortened ID has the last eight characters. The first characters encode the time, so IDs of the same minute share them. */
const shortIdLength = 8;

/** Formats rows as a table with headings. `width` is in cells. `now`, in ms, is the time to which ages are relative. */
export function formatTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { width, now }: FormatTableOptions,
): FormattedTable {
  const cellsOf = (column: TableColumn<Row>): readonly string[] => [
    column.heading,
    ...rows.map((row) => toCell(column, row, now)),
  ];
  const cells = new Map(columns.map((column) => [column, cellsOf(column)]));
  const natural = (column: TableColumn<Row>): number => Math.max(...cells.get(column)!.map(measureWidthCells));
  const narrowest = (column: TableColumn<Row>): number =>
    Math.min(natural(column), column.cutsTo ?? column.wrapsTo ?? Infinity);
  const visible = [...columns];
  const isTooWide = (): boolean => totalWidth(visible.map(narrowest)) > width;
  for (const column of columns.filter(({ kind }) => kind === "id")) {
    if (isTooWide()) cells.set(column, cells.get(column)!.map(shortenId));
  }
  for (const column of columns.filter(isSpare).toSorted((one, other) => other.spare! - one.spare!)) {
    if (isTooWide()) visible.splice(visible.indexOf(column), 1);
  }
  const widths = new Map(visible.map((column) => [column, natural(column)]));
  for (const column of visible.toSorted(
    (one, other) => (other.spare ?? 0) - (one.spare ?? 0) || natural(other) - natural(one),
  )) {
    const excess = totalWidth([...widths.values()]) - width;
    if (excess > 0) widths.set(column, Math.max(narrowest(column), natural(column) - excess));
  }
  const linesOfCell = (column: TableColumn<Row>, text: string, wide: number): readonly string[] =>
    column.cutsTo === undefined ? wrapText(text, wide, column === visible.at(-1)) : [truncateToWidth(text, wide)];
  const lineOf = (index: number): readonly string[] =>
    joinBlocks(
      visible.map((column) => {
        const wide = widths.get(column)!;
        return linesOfCell(column, cells.get(column)![index]!, wide).map((line) => pad(line, wide, column.align));
      }),
      visible.map((column) => widths.get(column)!),
    );
  return {
    lines: [-1, ...rows.keys()].flatMap((index) => lineOf(index + 1)),
    omitted: columns.filter((column) => !visible.includes(column)).map(({ heading }) => heading),
    fits: totalWidth(visible.map(narrowest)) <= width,
  };
}

export function formatExpandedRows<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { width, now }: FormatTableOptions,
): readonly string[] {
  const names = Math.max(...columns.map(({ heading }) => measureWidthCells(heading)));
  const values = Math.max(1, width - names - columnGap);
  return rows.flatMap((row, index) => [
    `-[ ${index + 1} ]`.padEnd(width, "-"),
    ...columns.flatMap((column) =>
      joinBlocks([[pad(column.heading, names)], wrapText(toCell(column, row, now), values, true)], [names, values]),
    ),
  ]);
}

/** Formats a row for a program: texts separated by tabs. Tabs within texts are escaped. */
export function formatTabbedRow<Row>(columns: readonly TableColumn<Row>[], row: Row): string {
  return columns.map(({ text }) => toSafeText(text(row))).join("\t");
}

export function formatTabbedHeadings(columns: readonly TableColumn<never>[]): string {
  return columns.map(({ heading }) => heading).join("\t");
}

function toCell<Row>({ text, kind }: TableColumn<Row>, row: Row, now: number): string {
  const full = text(row);
  const age = kind === "age" ? formatTimeFromNow(Date.parse(full) - now) : null;
  return age ?? toSafeText(full).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/, "$1$2");
}

function shortenId(text: string): string {
  return /^[0-9a-f-]{36}$/.test(text) ? text.slice(-shortIdLength) : text;
}

function isSpare({ spare }: TableColumn<never>): boolean {
  return spare !== undefined;
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, cells) => sum + cells, columnGap * (widths.length - 1));
}

function joinBlocks(blocks: readonly (readonly string[])[], widths: readonly number[]): readonly string[] {
  const height = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: height }, (_, index) =>
    blocks
      .map((lines, block) => lines[index] ?? " ".repeat(widths[block]!))
      .join(" ".repeat(columnGap))
      .trimEnd(),
  );
}

function pad(text: string, cells: number, align?: "right"): string {
  const spaces = " ".repeat(Math.max(0, cells - measureWidthCells(text)));
  return align === "right" ? spaces + text : text + spaces;
}
