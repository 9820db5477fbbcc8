import {
  createConditionPredicate,
  type Aggregate,
  type Condition,
  type ObjectCell,
  type RowWithCells,
  type ReportColumn,
} from "@reports/core/report";
import { createColumnFold, createRunningSum, type ColumnFold } from "./fold-column.ts";
import type { FoldedValueBudget } from "./folded-value-budget.ts";
import { divideToSixDecimals, formatWireNumber, multiplyWireNumbers, parseWireNumber } from "./wire-number.ts";

export type FoldInputRow = Pick<RowWithCells, "cell">;

export interface AggregateFold {
  add(row: FoldInputRow): void;
  /** Returns the value as Postgres writes it; null if no row has a value. */
  text(): string | null;
}

export type FoldColumns = readonly Pick<ReportColumn, "key" | "kind">[];

/**
 * Makes the fold of an aggregate over the rows that meet its own condition and all of `conditions`. The result equals that of Postgres. `budget`
 * limits the memory for distinct values.
 */
export function createAggregateFold(
  aggregate: Aggregate,
  conditions: readonly Condition[],
  { columns, budget }: { readonly columns: FoldColumns; readonly budget: FoldedValueBudget },
): AggregateFold {
  const own = "where" in aggregate && aggregate.where !== undefined ? [aggregate.where] : [];
  const meets = createConditionPredicate([...conditions, ...own], columns);
  const fold = createFoldWithoutCondition(aggregate, columns, budget);
  return {
    add(row) {
      if (meets(row)) fold.add(row);
    },
    text: fold.text,
  };
}

function createFoldWithoutCondition(
  aggregate: Aggregate,
  columns: FoldColumns,
  budget: FoldedValueBudget,
): AggregateFold {
  switch (aggregate.kind) {
    case "count":
      return createCountFold();
    case "weighted-mean":
      return createMeanFold(aggregate.column, aggregate.weight);
    default: {
      const { kind, column: key } = aggregate;
      // Rows that are generated for a test of a view lack the columns that only the view has. All their cells are null.
      const column = columns.find((candidate) => candidate.key === key);
      const fold: ColumnFold = createColumnFold(kind, column?.kind ?? "text", budget);
      return {
        add(row) {
          const cell = row.cell(key);
          if (cell !== null) fold.add(String(cell));
        },
        text: fold.text,
      };
    }
  }
}

function createCountFold(): AggregateFold {
  let count = 0;
  return { add: () => void count++, text: () => String(count) };
}

function createMeanFold(column: string, weight: string): AggregateFold {
  const products = createRunningSum();
  const weights = createRunningSum();
  return {
    add(row) {
      const [value, factor] = [row.cell(column), row.cell(weight)].map(toNumber);
      if (value === null || value === undefined || factor === null || factor === undefined) return;
      products.add(multiplyWireNumbers(value, factor));
      weights.add(factor);
    },
    text() {
      const [product, total] = [products.value(), weights.value()];
      const mean = product === null || total === null ? null : divideToSixDecimals(product, total);
      return mean === null ? null : formatWireNumber(mean);
    },
  };
}

function toNumber(cell: ObjectCell) {
  return cell === null ? null : parseWireNumber(String(cell));
}
