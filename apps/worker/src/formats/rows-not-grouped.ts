import type { ReportWarning } from "@reports/core";

/** What a format that groups rows says when it has no column to group them by. */
export function rowsNotGrouped(groupBy: string): ReportWarning {
  const message = `The rows are not grouped: the column ${groupBy} was left out. Add it to the columns.`;
  return { code: "ROWS_NOT_GROUPED", message };
}
