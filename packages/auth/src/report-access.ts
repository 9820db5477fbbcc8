import type { Report, ReportVisibility, VisibleReports } from "@reports/core/report";
import { REPORTS_ADMIN, type Authorities } from "./authorities.ts";
import type { Principal } from "./principal.ts";

/** Decides which reports a caller may see and change. docs/reference/resources/access.md#authorities. */
export interface ReportAccess {
  /** Returns the reports that a caller may read, list, follow and download. */
  visibleTo(principal: Principal): VisibleReports;
  /** Reports whether a caller may change and delete a report that the caller can see: only its requester and holders of REPORTS_ADMIN may. */
  mayChange(principal: Principal, report: Pick<Report, "requestedBy">): boolean;
  /** Returns the principal whose download links a caller may list and revoke: the caller, or null for the links of all principals. */
  linksBy(principal: Principal): string | null;
}

/** Creates a ReportAccess that decides by the authorities of report types and by the setting `REPORT_VISIBILITY`. */
export function createReportAccess(options: {
  readonly authorities: Pick<Authorities, "typesFor">;
  readonly visibility: ReportVisibility;
}): ReportAccess {
  const administers = ({ authorities }: Principal): boolean => authorities.has(REPORTS_ADMIN);
  return {
    visibleTo: (principal) => ({
      reportTypes: options.authorities.typesFor(principal.authorities),
      requestedBy: options.visibility === "type" || administers(principal) ? null : principal.id,
    }),
    mayChange: (principal, { requestedBy }) => requestedBy === principal.id || administers(principal),
    linksBy: (principal) => (administers(principal) ? null : principal.id),
  };
}
