import type { ReportTypeDefinition } from "@reports/core/report";

export function findColumnTitle({ columns }: Pick<ReportTypeDefinition, "columns">, key: string): string {
  return columns.find((column) => column.key === key)?.title ?? key;
}
