import type { ReportWarning } from "@reports/core/report";

/** What a format that groups rows says when it has no column to group them by, whose title is given. */
export function rowsNotGrouped(column: string): ReportWarning {
  const message = `The rows are not grouped: the column ${column} was left out. Add it to the columns.`;
  return { code: "ROWS_NOT_GROUPED", message };
}
