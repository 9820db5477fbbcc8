import { Buffer } from "node:buffer";
import { compareCells, isNumericKind, type ColumnAggregateKind, type ColumnKind } from "@reports/core/report";
import { compareWireTimes } from "./compare-wire-times.ts";
import type { FoldedValueBudget } from "./folded-value-budget.ts";
import { toEqualityKey } from "./to-equality-key.ts";
import {
  addWireNumbers,
  compareWireNumbers,
  divideToSixDecimals,
  formatWireNumber,
  parseWireNumber,
  type WireNumber,
} from "./wire-number.ts";

/** The fold of a column's values as wire texts. A caller must not add nulls. */
export interface ColumnFold {
  add(value: string): void;
  text(): string | null;
}

export function createColumnFold(
  aggregate: ColumnAggregateKind,
  kind: ColumnKind,
  budget: FoldedValueBudget,
): ColumnFold {
  switch (aggregate) {
    case "sum":
      return createSumFold();
    case "avg":
      return createAverageFold();
    case "min":
      return createExtremeFold(kind, -1);
    case "max":
      return createExtremeFold(kind, 1);
    case "distinct":
      return createDistinctFold(kind, budget);
  }
}

export interface RunningSum {
  add(value: WireNumber): void;
  value(): WireNumber | null;
}

export function createRunningSum(): RunningSum {
  let sum: WireNumber | null = null;
  return { add: (value) => void (sum = sum === null ? value : addWireNumbers(sum, value)), value: () => sum };
}

function createSumFold(): ColumnFold {
  const sum = createRunningSum();
  return {
    add: (value) => sum.add(parseWireNumber(value)),
    text() {
      const value = sum.value();
      return value === null ? null : formatWireNumber(value);
    },
  };
}

function createAverageFold(): ColumnFold {
  const sum = createRunningSum();
  let count = 0;
  return {
    add(value) {
      sum.add(parseWireNumber(value));
      count++;
    },
    text() {
      const total = sum.value();
      const mean = total === null ? null : divideToSixDecimals(total, { digits: BigInt(count), scale: 0 });
      return mean === null ? null : formatWireNumber(mean);
    },
  };
}

/** Keeps the least value if `sign` is -1, and the greatest if it is 1. Keeps the last of equal numbers such as 0.1 and 0.10, as Postgres does. */
function createExtremeFold(kind: ColumnKind, sign: 1 | -1): ColumnFold {
  let extreme: string | null = null;
  const compare = createComparison(kind);
  return {
    add(value) {
      if (extreme === null || sign * compare(value, extreme) >= 0) extreme = value;
    },
    text: () => extreme,
  };
}

function createComparison(kind: ColumnKind): (a: string, b: string) => number {
  if (kind === "date" || kind === "timestamp") return compareWireTimes;
  return isNumericKind(kind)
    ? (a, b) => compareWireNumbers(parseWireNumber(a), parseWireNumber(b))
    : (a, b) => compareCells(a, b, kind);
}

function createDistinctFold(kind: ColumnKind, budget: FoldedValueBudget): ColumnFold {
  const seen = new Set<string>();
  return {
    add(value) {
      const key = toEqualityKey(value, kind);
      if (seen.has(key)) return;
      budget.take(key);
      // A substring keeps the whole text alive from which it was cut, so the set stores a copy.
      seen.add(Buffer.from(key, "utf8").toString("utf8"));
    },
    text: () => String(seen.size),
  };
}
