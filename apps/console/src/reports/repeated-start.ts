import type { Report, ReportStart } from "@reports/client";

export function createRepeatedStart({ reportType, format, searchParam, title, options }: Report): ReportStart {
  return { reportType, format, searchParam, title, ...options };
}
