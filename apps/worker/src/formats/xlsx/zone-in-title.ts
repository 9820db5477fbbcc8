import type { ReportColumn } from "@reports/core/report";

/** Names the time zone in the titles of time columns, because a cell with a typed time holds no zone. */
export function addZoneToTitles(columns: readonly ReportColumn[], timezone: string): ReportColumn[] {
  return columns.map((column) =>
    column.kind === "timestamp" ? { ...column, title: `${column.title} (${timezone})` } : column,
  );
}
