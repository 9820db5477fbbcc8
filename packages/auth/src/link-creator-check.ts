import { isVisible, type Report } from "@reports/core/report";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { ReportAccess } from "./report-access.ts";
import { principalOfUser, type UserDirectory } from "./user-directory.ts";

/**
 * Reports whether a principal in whose name a report is given later may still have it: local users are looked up each time; others were
 * checked by their token, with which the permission ends. Rejects with StoreUnavailableError.
 */
export function createLinkCreatorCheck(deps: {
  readonly users: UserDirectory;
  readonly reportAccess: Pick<ReportAccess, "visibleTo">;
}): (principalId: string, report: Pick<Report, "reportType" | "requestedBy">) => Promise<boolean> {
  return async (principalId, report) => {
    if (!principalId.startsWith(userPrincipalPrefix)) return true;
    const user = await deps.users.find(principalId.slice(userPrincipalPrefix.length));
    if (user === null || user.disabledAt !== null) return false;
    return isVisible(deps.reportAccess.visibleTo(principalOfUser(user)), report);
  };
}
