import type { Report } from "./report-record.ts";

/** All callers with the type's authority, or the requester and administrators. docs/reference/resources/access.md#authorities. */
export const reportVisibilities = ["type", "requester"] as const;
export type ReportVisibility = (typeof reportVisibilities)[number];

export interface VisibleReports {
  readonly reportTypes: readonly string[];
  /** Whose reports; null for everybody's. */
  readonly requestedBy: string | null;
}

/** Deliveries of a webhook that a caller may see: those about visible reports and schedules. */
export interface VisibleDeliveries {
  readonly reports: VisibleReports;
  /** Whose schedules; null for everybody's. */
  readonly schedulesOf: string | null;
}

export function isVisible(
  { reportTypes, requestedBy }: VisibleReports,
  report: Pick<Report, "reportType" | "requestedBy">,
): boolean {
  return reportTypes.includes(report.reportType) && (requestedBy === null || requestedBy === report.requestedBy);
}
