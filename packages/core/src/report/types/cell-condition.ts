import type { ColumnKind } from "./column.ts";
import { compareExact, parseExactNumber } from "./exact-number.ts";
import type { ObjectCell } from "./object-cell.ts";
import type { Condition } from "./summary.ts";

export type CellPredicate = (cell: ObjectCell) => boolean;

export function createCellPredicate(
  { in: values, atLeast, below, isNull }: Condition,
  kind: ColumnKind,
): CellPredicate {
  const allowed = values && new Set(kind === "boolean" ? values.map((value) => value[0]) : values);
  const tests: ((cell: NonNullable<ObjectCell>) => boolean)[] = [];
  if (allowed !== undefined)
    tests.push((cell) => (typeof cell === "string" ? allowed.has(cell) : cell.some((element) => allowed.has(element))));
  if (atLeast !== undefined) tests.push((cell) => compareToNumber(String(cell), atLeast) >= 0);
  if (below !== undefined) tests.push((cell) => compareToNumber(String(cell), below) < 0);
  if (isNull === true) tests.push(() => false);
  const isMetByNull = isNull === true && tests.length === 1;
  return (cell) => (cell === null ? isMetByNull : tests.every((test) => test(cell)));
}

/** Compares a number as text with `bound` exactly. Rounding to a double keeps the order, so only equal doubles need an exact comparison. */
export function compareToNumber(text: string, bound: number): number {
  const value = Number(text);
  return value === bound ? compareExact(parseExactNumber(text), parseExactNumber(String(bound))) : value - bound;
}
