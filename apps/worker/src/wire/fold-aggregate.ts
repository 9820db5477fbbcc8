import {
  addExact,
  createCellTest,
  divideExact,
  formatExact,
  multiplyExact,
  parseExact,
  roundExact,
  type Aggregate,
  type Condition,
  type ExactNumber,
  type RowWithCells,
  type ReportColumn,
} from "@reports/core/report";

/** Decimals to which a mean is rounded, because a quotient may have infinitely many. */
const meanDecimals = 6;

export interface AggregateFold {
  add(row: RowWithCells): void;
  /** Returns the value as Postgres writes it; null if no row has a value. */
  text(): string | null;
}

export type FoldColumns = readonly Pick<ReportColumn, "key" | "kind">[];

export function createRowCondition(
  conditions: readonly Condition[],
  columns: FoldColumns,
): (row: RowWithCells) => boolean {
  const tests = conditions.map((condition) => {
    const column = columns.find(({ key }) => key === condition.column);
    if (column === undefined) throw new Error(`There is no column ${condition.column}.`);
    const meets = createCellTest(condition, column.kind);
    return (row: RowWithCells): boolean => meets(row.cell(condition.column));
  });
  return (row) => tests.every((test) => test(row));
}

/** Makes the fold of an aggregate over rows that meet its own condition and `conditions`. Sums are exact, as Postgres's are. */
export function createFold(
  aggregate: Aggregate,
  conditions: readonly Condition[],
  columns: FoldColumns,
): AggregateFold {
  const own = "where" in aggregate && aggregate.where !== undefined ? [aggregate.where] : [];
  const meets = createRowCondition([...conditions, ...own], columns);
  const fold = createFoldWithoutCondition(aggregate);
  return {
    add(row) {
      if (meets(row)) fold.add(row);
    },
    text: fold.text,
  };
}

function createFoldWithoutCondition(aggregate: Aggregate): AggregateFold {
  switch (aggregate.kind) {
    case "count":
      return createCountFold();
    case "sum": {
      const sum = createExactSum();
      return {
        add(row) {
          const value = exactNumberOf(row, aggregate.column);
          if (value !== null) sum.add(value);
        },
        text: () => sum.value() && formatExact(sum.value()!),
      };
    }
    case "weighted-mean":
      return createMeanFold(aggregate.column, aggregate.weight);
  }
}

function createCountFold(): AggregateFold {
  let count = 0;
  return { add: () => void count++, text: () => String(count) };
}

function createMeanFold(column: string, weight: string): AggregateFold {
  const products = createExactSum();
  const weights = createExactSum();
  return {
    add(row) {
      const value = exactNumberOf(row, column);
      const factor = exactNumberOf(row, weight);
      if (value === null || factor === null) return;
      products.add(multiplyExact(value, factor));
      weights.add(factor);
    },
    text() {
      const [product, total] = [products.value(), weights.value()];
      if (product === null || total === null || total.digits === 0n) return null;
      return formatExact(roundExact(divideExact(product, total), meanDecimals));
    },
  };
}

function createExactSum(): { add(value: ExactNumber): void; value(): ExactNumber | null } {
  let sum: ExactNumber | null = null;
  return { add: (value) => void (sum = sum === null ? value : addExact(sum, value)), value: () => sum };
}

function exactNumberOf(row: RowWithCells, key: string): ExactNumber | null {
  const cell = row.cell(key);
  return cell === null ? null : parseExact(String(cell));
}
