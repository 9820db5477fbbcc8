import type { Logger } from "@reports/runtime";
import type { RequestContext } from "./request-state.ts";

/** Something that is kept for the record: who did what to which report, and what came of it. docs/contract.md §7.6. */
export interface AuditEntry {
  readonly action: "start" | "download" | "refusal";
  readonly status: number;
  readonly code?: string;
  readonly reportId?: string;
  readonly reportType?: string;
}

/** Writes one audit line. Lines carry `audit: true`, by which they are told from the others. */
export function writeAudit(logger: Logger, ctx: RequestContext, entry: AuditEntry): void {
  logger.info("audit", {
    audit: true,
    ...entry,
    method: ctx.method,
    route: ctx.state.route,
    principal: ctx.state.principal?.id ?? null,
    address: ctx.state.address,
    requestId: ctx.state.requestId,
  });
}
