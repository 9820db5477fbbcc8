import type { Report, ReportStart } from "@reports/client";

/** Starts the same report with current data. */
export function repeatedStart({ reportType, format, searchParam, title, options }: Report): ReportStart {
  return { reportType, format, searchParam, title, ...options };
}
