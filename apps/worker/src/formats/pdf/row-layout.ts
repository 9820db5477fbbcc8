import { unitsPerPoint } from "./pdf-canvas.ts";
import type { TableColumn } from "./column-width-estimate.ts";
import { canShortenValues } from "./fit-cell-text.ts";

/** A column with its position in a row. Lengths are in points, those named `…Units` in tenths of a point, and `maxEm` in thousandths of an em. */
export interface PlacedColumn extends TableColumn {
  readonly x: number;
  readonly width: number;
  readonly line: number;
  readonly right: boolean;
  readonly isCentered: boolean;
  /** Whether a left-aligned value that does not fit is wrapped, rounded or cut at its start. If false, such a value is cut at its end. */
  readonly isMeasured: boolean;
  /** Whether a text that is too wide takes a second line. No other cell is below such a text. */
  readonly wraps: boolean;
  readonly titleLines: readonly string[];
  readonly leftUnits: number;
  readonly rightUnits: number;
  readonly maxEm: number;
}

export interface LabelPosition {
  readonly x: number;
  readonly width: number;
}

export interface TableLayout {
  readonly size: number;
  /** Points from the left edge of the content to the end of the last column. */
  readonly width: number;
  readonly lineHeight: number;
  readonly rowHeight: number;
  readonly titleLines: readonly number[];
  readonly headerHeight: number;
  readonly columns: readonly PlacedColumn[];
  readonly linesPerRow: number;
  /** Positions of the titles within a card, in column order. Null for a table with a header. */
  readonly labels: readonly LabelPosition[] | null;
  readonly firstLineGap: number;
  readonly secondLine: number;
  readonly rowsTogether: number;
  readonly isRoomy: boolean;
}

export function measureTableStartHeight(layout: TableLayout, total = Infinity): number {
  return layout.headerHeight + Math.min(layout.rowsTogether, total) * layout.rowHeight + layout.secondLine;
}

/** Points between each side of a table and its columns. */
export const tableSidePaddingPoints = 4;
export const lineHeightFactor = 1.36;

export function toPlacedColumn(
  column: TableColumn,
  at: Pick<PlacedColumn, "x" | "width" | "line" | "right" | "isCentered" | "titleLines" | "wraps"> & {
    readonly size: number;
  },
): PlacedColumn {
  const { size, ...place } = at;
  return {
    ...column,
    ...place,
    isMeasured:
      at.wraps || !canShortenValues(column.column) || column.column.keepsEnd === true || column.column.kind === "list",
    leftUnits: Math.round(at.x * unitsPerPoint),
    rightUnits: Math.round((at.x + at.width) * unitsPerPoint),
    maxEm: (at.width * 1000) / size,
  };
}
