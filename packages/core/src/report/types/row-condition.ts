import { createCellPredicate } from "./cell-condition.ts";
import type { ReportColumn } from "./column.ts";
import type { RowWithCells } from "./row-order.ts";
import type { Condition } from "./summary.ts";

export function createConditionPredicate(
  conditions: readonly Condition[],
  columns: readonly Pick<ReportColumn, "key" | "kind">[],
): (row: Pick<RowWithCells, "cell">) => boolean {
  const tests = conditions.map((condition) => {
    const column = columns.find(({ key }) => key === condition.column);
    if (column === undefined) throw new Error(`There is no column ${condition.column}.`);
    const meets = createCellPredicate(condition, column.kind);
    return (row: Pick<RowWithCells, "cell">): boolean => meets(row.cell(condition.column));
  });
  return (row) => tests.every((test) => test(row));
}
