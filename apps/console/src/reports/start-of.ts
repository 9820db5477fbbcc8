import type { Report, ReportStart } from "@reports/client";

/** The start that gives the same report as of now. */
export function startOf({ reportType, format, searchParam, title, options }: Report): ReportStart {
  return { reportType, format, searchParam, title, ...options };
}
