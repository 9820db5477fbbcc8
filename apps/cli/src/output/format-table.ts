import { cutToWidth, displayWidth } from "./display-width.ts";
import { safeText } from "./safe-text.ts";

/** A column: its heading, and what stands in it. Texts are made safe here. */
export interface TableColumn<Row> {
  readonly heading: string;
  readonly text: (row: Row) => string;
  readonly align?: "right";
  /** Whether its texts may be cut where the terminal is too narrow. */
  readonly elastic?: boolean;
}

const gap = 2;
const narrowest = 12;

/**
 * Rows for a person: a line a row under one of headings, in columns. Elastic columns, the widest first, are cut so that lines fit into
 * `width` cells.
 */
export function formatTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  width: number,
): readonly string[] {
  const lines = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map(({ text }) => safeText(text(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => displayWidth(line[index]!))));
  const excess = () => widths.reduce((sum, cells) => sum + cells, gap * (columns.length - 1)) - width;
  for (const index of widestFirst(columns, widths)) {
    if (excess() > 0) widths[index] = Math.max(Math.min(widths[index]!, narrowest), widths[index]! - excess());
  }
  return lines.map((line) =>
    line
      .map((text, index) => pad(cutToWidth(text, widths[index]!), widths[index]!, columns[index]!.align))
      .join(" ".repeat(gap))
      .trimEnd(),
  );
}

/** A row for a program: texts without headings, separated by tabs, which no safe text holds. */
export function formatTabbed<Row>(columns: readonly TableColumn<Row>[], row: Row): string {
  return columns.map(({ text }) => safeText(text(row))).join("\t");
}

function widestFirst(columns: readonly TableColumn<never>[], widths: readonly number[]): readonly number[] {
  return [...columns.keys()]
    .filter((index) => columns[index]!.elastic === true)
    .toSorted((one, other) => widths[other]! - widths[one]!);
}

function pad(text: string, cells: number, align: "right" | undefined): string {
  const spaces = " ".repeat(Math.max(0, cells - displayWidth(text)));
  return align === "right" ? spaces + text : text + spaces;
}
