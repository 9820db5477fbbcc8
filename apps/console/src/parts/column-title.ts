import type { ReportType } from "@reports/client";

/** Returns the title of a column, or its key if the type is unknown or lacks it. A sort has a `-` in front of the key if it is descending. */
export function columnTitle(type: Pick<ReportType, "columns"> | undefined, sort: string): string {
  const key = sort.replace(/^-/, "");
  const title = type?.columns.find((column) => column.key === key)?.title ?? key;
  return key === sort ? title : `${title}, descending`;
}
