import type { ReportWarning } from "@reports/core/report";

/** Warns that a format has no column by which to group. */
export function rowsNotGrouped(column: string): ReportWarning {
  const message = `The rows are not grouped: the column ${column} was left out. Add it to the columns.`;
  return { code: "ROWS_NOT_GROUPED", message };
}
