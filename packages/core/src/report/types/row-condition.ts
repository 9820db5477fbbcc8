import { createCellPredicate } from "./cell-condition.ts";
import type { ValueColumn } from "./column.ts";
import type { RowPredicate } from "./filter-predicate.ts";
import type { Condition } from "./summary.ts";

export function createConditionPredicate(
  conditions: readonly Condition[],
  columns: readonly ValueColumn[],
): RowPredicate {
  const tests = conditions.map((condition): RowPredicate => {
    const column = columns.find(({ key }) => key === condition.column);
    if (column === undefined) throw new Error(`There is no column ${condition.column}.`);
    const meets = createCellPredicate(condition, column.kind);
    return (row) => meets(row.cell(condition.column));
  });
  return (row) => tests.every((test) => test(row));
}
