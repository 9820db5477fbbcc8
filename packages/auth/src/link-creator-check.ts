import { isReportVisible, type Report } from "@reports/core/report";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { ReportAccess } from "./report-access.ts";
import { principalOfUser, type UserDirectory } from "./user-directory.ts";

/**
 * Creates the check that each use of a download link makes: whether the creator of the link may still read the report. Local users are read from
 * the database. For other creators the result is true, because the link expires with the token that created it. Rejects with
 * StoreUnavailableError.
 */
export function createLinkCreatorCheck(deps: {
  readonly users: UserDirectory;
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
}): (principalId: string, report: Pick<Report, "reportType" | "requestedBy">) => Promise<boolean> {
  return async (principalId, report) => {
    if (!principalId.startsWith(userPrincipalPrefix)) return true;
    const user = await deps.users.find(principalId.slice(userPrincipalPrefix.length));
    if (user === null || user.disabledAt !== null) return false;
    return isReportVisible(deps.reportAccess.visibleTo(principalOfUser(user)), report);
  };
}
