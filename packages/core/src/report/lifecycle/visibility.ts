import type { Report } from "./report-record.ts";

/** `type`: all callers with the authority for a report's type see the report. `requester`: of these callers, only its requester and administrators do. */
export const reportVisibilities = ["type", "requester"] as const;
export type ReportVisibility = (typeof reportVisibilities)[number];

export interface VisibleReports {
  readonly reportTypes: readonly string[];
  readonly requestedBy: string | null;
}

export interface DeliveryVisibilityFilter {
  readonly reports: VisibleReports;
  readonly schedulesOf: string | null;
}

export function isReportVisible(
  { reportTypes, requestedBy }: VisibleReports,
  report: Pick<Report, "reportType" | "requestedBy">,
): boolean {
  return reportTypes.includes(report.reportType) && (requestedBy === null || requestedBy === report.requestedBy);
}
