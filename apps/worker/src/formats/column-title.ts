import type { ReportTypeDefinition } from "@reports/core/report";

/** Returns the title of a column, or its key if the report type no longer has the column. */
export function columnTitle({ columns }: Pick<ReportTypeDefinition, "columns">, key: string): string {
  return columns.find((column) => column.key === key)?.title ?? key;
}
