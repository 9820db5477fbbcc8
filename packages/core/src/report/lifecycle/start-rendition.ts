import { createOnceClaim } from "./idempotency.ts";
import { chooseInitialReportLane } from "./lane.ts";
import { withOldestNames } from "../types/former-names.ts";
import type { ReportOptions } from "../types/options.ts";
import type { Report } from "./report-record.ts";
import type { QueuedReport } from "./report-store.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { maxFailuresPerReport, queueReport, type StartContext, type StartDeps } from "./start-report.ts";

export const maxRenditionsPerReport = 10;

type StartRenditionDeps = Omit<StartDeps, "chooseLane">;

/**
 * Queues an additional format, which is made from the row snapshot of a report and counts as a start. Rejects as createQueued does for an additional
 * format, and with RateLimitedError if the lane is overloaded.
 */
export async function startRendition(
  deps: StartRenditionDeps,
  context: Omit<StartContext, "coalesce" | "principalName">,
  { definition, report, options }: { definition: ReportTypeDefinition; report: Report; options: ReportOptions },
): Promise<QueuedReport> {
  const { once, principalId } = context;
  return queueReport(
    deps,
    {
      id: deps.newId(),
      reportType: report.reportType,
      definitionVersion: definition.version,
      title: report.title,
      searchParam: report.searchParam,
      searchParamGiven: report.searchParamGiven,
      options,
      requestedBy: principalId,
      maxFailures: maxFailuresPerReport,
      traceparent: context.traceparent,
      requestId: context.requestId ?? null,
      coalesceKey: null,
      requiredAuthority: context.requiredAuthority,
      lane: chooseInitialReportLane(options.format, report.rowCount),
      fileOf: report.id,
    },
    once === undefined
      ? undefined
      : createOnceClaim(principalId, once, [
          report.id,
          withOldestNames(definition, { searchParam: {}, options }).options,
        ]),
  );
}
