import type { Report, ReportVisibility, VisibleReports } from "@reports/core/report";
import { REPORTS_ADMIN, type Authorities } from "./authorities.ts";
import type { Principal } from "./principal.ts";

/** docs/reference/resources/access.md#authorities. */
export interface ReportAccess {
  /** The reports that a caller may read, list, follow and download. */
  visibleTo(principal: Principal): VisibleReports;
  /** Whether a caller may change and delete a visible report. */
  mayChange(principal: Principal, report: Pick<Report, "requestedBy">): boolean;
  /** Whose links a caller may list and revoke; null: all. */
  linksBy(principal: Principal): string | null;
}

/** Decides by the authorities of report types and by `REPORT_VISIBILITY`. */
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
