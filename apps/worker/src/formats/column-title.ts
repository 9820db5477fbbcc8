import type { ReportTypeDefinition } from "@reports/core/report";

/** What people call a column; a key that the type does not know any more stays as it is. */
export function columnTitle({ columns }: Pick<ReportTypeDefinition, "columns">, key: string): string {
  return columns.find((column) => column.key === key)?.title ?? key;
}
