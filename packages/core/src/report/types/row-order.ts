import type { SortKey } from "../../query/sort-key.ts";
import type { ColumnKind, ValueColumn } from "./column.ts";
import { compareExact, parseExactNumber } from "./exact-number.ts";
import { isNumericKind } from "./logical-columns.ts";
import type { ObjectCell } from "./object-cell.ts";
import type { ObjectRow } from "./row-source.ts";

export interface RowWithCells {
  readonly row: ObjectRow;
  cell(key: string): ObjectCell;
}

/** Returns a function that compares rows as reports from a database are sorted: texts by code points, missing values last in both directions. */
export function createRowComparator(
  sort: readonly SortKey[],
  columns: readonly ValueColumn[],
): (a: RowWithCells, b: RowWithCells) => number {
  const terms = sort.map(({ key, descending }) => {
    const kind = columns.find((column) => column.key === key)?.kind ?? "text";
    const sign = descending ? -1 : 1;
    return (a: RowWithCells, b: RowWithCells): number => {
      const [left, right] = [a.cell(key), b.cell(key)];
      if (left === null || right === null) return Number(left === null) - Number(right === null);
      if (kind === "timestamp") return sign * (Number(a.row[key]) - Number(b.row[key]));
      return sign * compareCells(String(left), String(right), kind);
    };
  });
  return (a, b) => {
    for (const term of terms) {
      const order = term(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

export function compareCells(a: string, b: string, kind: ColumnKind): number {
  if (a === b) return 0;
  return isNumericKind(kind) ? compareExact(parseExactNumber(a), parseExactNumber(b)) : compareCodePoints(a, b);
}

/** Compares by code points. JavaScript compares UTF-16 units, which puts characters above U+FFFF before some others. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (left !== right) return rankOfCodeUnit(left) - rankOfCodeUnit(right);
  }
  return a.length - b.length;
}

function rankOfCodeUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x2000 : unit >= 0xe000 ? unit - 0x800 : unit;
}
