import type { Report, ReportVisibility, VisibleReports } from "@reports/core/report";
import { REPORTS_ADMIN, type AuthorityLookup } from "./authority-lookup.ts";
import type { Principal } from "./principal.ts";

export interface ReportAccess {
  visibleTo(principal: Principal): VisibleReports;
  /** Reports whether a caller may change and delete a report that the caller can see: only its requester and holders of REPORTS_ADMIN may. */
  mayChange(principal: Principal, report: Pick<Report, "requestedBy">): boolean;
  /** Returns the ID of the principal whose links the caller may list and revoke. Null means the links of all principals. */
  linksBy(principal: Principal): string | null;
}

export function createReportAccess(options: {
  readonly authorities: Pick<AuthorityLookup, "typesFor">;
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
