import type { Report } from "./report-record.ts";

/** `type`: all callers with the authority for a report's type can see the report. `requester`: only its requester and administrators can. docs/reference/resources/access.md#authorities. */
export const reportVisibilities = ["type", "requester"] as const;
export type ReportVisibility = (typeof reportVisibilities)[number];

export interface VisibleReports {
  readonly reportTypes: readonly string[];
  /** The requester whose reports are visible; null if the reports of all requesters are. */
  readonly requestedBy: string | null;
}

/** Deliveries of a webhook that a caller may see: those about visible reports and schedules. */
export interface VisibleDeliveries {
  readonly reports: VisibleReports;
  /** The owner whose schedules are visible; null if the schedules of all owners are. */
  readonly schedulesOf: string | null;
}

export function isVisible(
  { reportTypes, requestedBy }: VisibleReports,
  report: Pick<Report, "reportType" | "requestedBy">,
): boolean {
  return reportTypes.includes(report.reportType) && (requestedBy === null || requestedBy === report.requestedBy);
}
