import { DomainError, StoreUnavailableError, type Clock } from "@reports/core/base";
import {
  isTerminal,
  retryAfterSeconds,
  type QueuedReport,
  type ReportCatalogue,
  type StartDeps,
} from "@reports/core/report";
import type { AuthorityLookup } from "@reports/auth";
import type { z } from "zod";
import type { HandlerInput, Reply, ResponseSpec } from "../endpoint/endpoint.ts";
import { toReplayedReply, idempotencyReplayedHeader } from "../idempotency/read-idempotency-key.ts";
import type { FindStartLimits } from "../limits/start-limits.ts";
import { buildReportPaths, toReportResource } from "./to-report-resource.ts";
import { preferenceAppliedHeader, waitIfRequested, type WaitForReportDeps } from "./wait.ts";

export function describeStartResponse(schema: z.ZodType): ResponseSpec {
  return {
    kind: "json",
    description:
      "The report is queued. `reused` is true if it is an earlier report of the same caller with the same filters and options. After a wait, `status` is the current one, which can be FAILED.",
    schema,
    headers: {
      Location: "URL of the report's record.",
      "Retry-After": "Seconds to wait before asking for it, while it is not finished.",
      "Cache-Control": "no-store",
      Link: "The report, and where its file can be downloaded.",
      ...idempotencyReplayedHeader,
      ...preferenceAppliedHeader,
    },
  };
}

export interface StartRouteDeps extends Omit<StartDeps, "startLimits">, WaitForReportDeps, ReplyDeps {
  readonly catalogue: ReportCatalogue;
  readonly authorities: AuthorityLookup;
  readonly findStartLimits: FindStartLimits;
}

interface ReplyDeps {
  readonly now: Clock;
  readonly basePath: string;
}

export const startPreferHeader = {
  Prefer:
    "wait=N: respond when the report is finished, or after N seconds (at most 30). The status is 202 in both cases. A repeat with an Idempotency-Key waits, too, and then returns the current record.",
};

export async function createStartReplyAfterWait<Deps extends ReplyDeps>(
  deps: WaitForReportDeps & Deps,
  input: HandlerInput<unknown>,
  started: QueuedReport,
  replyOf: (started: QueuedReport, deps: Deps) => Reply = createStartReply,
  ofReport?: string,
): Promise<Reply> {
  // The audit line is written before the wait, because the report already exists, even if the wait fails or the process is killed.
  const immediateReply = replyOf(started, deps);
  input.auditNow(immediateReply);
  try {
    const waited = await waitIfRequested(deps, input, started.report.id, undefined, ofReport);
    if (waited === null) return immediateReply;
    const { replayed, ...current } = { ...started, report: waited.report };
    const reply = replyOf(current, deps);
    const replayHeaders = replayed === undefined ? {} : { "Idempotency-Replayed": "true" };
    return { ...reply, headers: { ...reply.headers, ...replayHeaders, ...waited.headers } };
  } catch (error) {
    // If the report was deleted or the database failed during the wait, the start has still succeeded.
    if (error instanceof DomainError || error instanceof StoreUnavailableError) return immediateReply;
    throw error;
  }
}

export function createStartReply({ report, reused, replayed, quotas }: QueuedReport, deps: ReplyDeps): Reply {
  const links = buildReportPaths(deps.basePath, report);
  const reply: Reply = {
    status: 202,
    headers: {
      Location: links.self,
      ...(isTerminal(report.status) ? {} : { "Retry-After": String(retryAfterSeconds(report, deps.now())) }),
      "Cache-Control": "no-store",
      Link: `<${links.self}>; rel="canonical", <${links.download}>; rel="enclosure"`,
    },
    body: { kind: "json", value: { ...toReportResource(report, deps.basePath), reused } },
    ...(quotas === undefined ? {} : { quotas }),
    audit: { recordId: report.id, reportType: report.reportType, owner: report.requestedBy },
  };
  return replayed === undefined ? reply : toReplayedReply(reply, replayed);
}
