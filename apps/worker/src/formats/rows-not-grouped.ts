import type { ReportWarning } from "@reports/core/report";

export function createNotGroupedWarning(column: string): ReportWarning {
  const message = `The rows are not grouped: the column ${column} was left out. Add it to the columns.`;
  return { code: "ROWS_NOT_GROUPED", message };
}
