import type { Report, ReportStart } from "@reports/client";

/** Returns the start that repeats a report with current data. */
export function createRepeatedStart({ reportType, format, searchParam, title, options }: Report): ReportStart {
  return { reportType, format, searchParam, title, ...options };
}
