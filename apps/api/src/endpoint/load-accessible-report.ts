import type { Principal, ReportAccess } from "@reports/auth";
import { DomainError } from "@reports/core/base";
import {
  findReport,
  assertReportNotDeleted,
  reportNotFoundError,
  type Report,
  type ReportStore,
} from "@reports/core/report";
import { isUuidV7 } from "@reports/runtime";
import type { AccessRule } from "./access-rule.ts";
import type { Endpoint, Reply } from "./endpoint.ts";

export interface LoadReportDeps {
  readonly reports: Pick<ReportStore, "find">;
  readonly reportAccess: ReportAccess;
}

/** Loads the report of a request. Rejects with DomainError: first `not-found` if the caller may not see it, then `gone` and `forbidden` as `access` declares. */
export async function loadAccessibleReport(
  { reports, reportAccess }: LoadReportDeps,
  access: AccessRule & { readonly kind: "report" },
  principal: Principal,
  named: { readonly id: unknown; readonly reportType: string | undefined },
): Promise<Report> {
  const { id, reportType } = named;
  if (typeof id !== "string" || !isUuidV7(id)) throw reportNotFoundError();
  const report = await findReport({ reports }, { id, reportType, visible: reportAccess.visibleTo(principal) });
  if (access.acceptsDeleted !== true) assertReportNotDeleted(report);
  if (access.changes !== true || reportAccess.mayChange(principal, report)) return report;
  throw new DomainError(
    "forbidden",
    "not-the-requester",
    "Only the report's requester or a holder of REPORTS_ADMIN may change or delete it.",
  );
}

export function addReportAuditFields({ method }: Endpoint, report: Report, reply: Reply): Reply {
  if (method === "GET" && reply.audit === undefined) return reply;
  const { id, reportType, requestedBy } = report;
  return { ...reply, audit: { recordId: id, reportType, owner: requestedBy, ...reply.audit } };
}
