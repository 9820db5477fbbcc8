import type { ReportType } from "@reports/client";

export function formatSortTitle(type: Pick<ReportType, "columns"> | undefined, sort: string): string {
  const key = sort.replace(/^-/, "");
  const title = type?.columns.find((column) => column.key === key)?.title ?? key;
  return key === sort ? title : `${title}, descending`;
}
