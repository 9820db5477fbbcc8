import type { Report, ReportStart } from "@reports/client";

export function toRepeatedStart({ reportType, format, searchParam, title, options }: Report): ReportStart {
  return { reportType, format, searchParam, title, ...options };
}
