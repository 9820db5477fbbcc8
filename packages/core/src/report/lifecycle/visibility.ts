import type { Report } from "./report-record.ts";

/**
 * Who may know of a report, of those who hold its type's authority: all of them, or the requester and administrators of reports alone.
 * docs/reference/resources/access.md#authorities.
 */
export const reportVisibilities = ["type", "requester"] as const;
export type ReportVisibility = (typeof reportVisibilities)[number];

/** Which reports a caller may know of: the one answer, for single reports and for lists. */
export interface VisibleReports {
  readonly reportTypes: readonly string[];
  /** The principal whose reports they are; null where it does not matter who asked for them. */
  readonly requestedBy: string | null;
}

/** Selects the deliveries of a webhook that a caller may see: those about reports and schedules that the caller may see. */
export interface VisibleDeliveries {
  readonly reports: VisibleReports;
  /** The principal whose schedules they are; null: everybody's. */
  readonly schedulesOf: string | null;
}

/** Whether the report is among them. */
export function isVisible(
  { reportTypes, requestedBy }: VisibleReports,
  report: Pick<Report, "reportType" | "requestedBy">,
): boolean {
  return reportTypes.includes(report.reportType) && (requestedBy === null || requestedBy === report.requestedBy);
}
