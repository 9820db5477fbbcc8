import { DomainError, StoreUnavailableError, type Clock } from "@reports/core/base";
import {
  startReport,
  type QueuedReport,
  type ReportCatalogue,
  type ReportTypeDefinition,
  type StartDeps,
  type StartInput,
} from "@reports/core/report";
import type { AuthorityLookup } from "@reports/auth";
import { startedReportSchema } from "@reports/core/wire";
import {
  describeJson,
  noStore,
  replyJson,
  type HandlerInput,
  type Reply,
  type ResponseSpec,
} from "../endpoint/endpoint.ts";
import { readIdempotencyKey, toReplayedReply, idempotencyReplayedHeader } from "../idempotency/read-idempotency-key.ts";
import type { FindStartLimits } from "../limits/start-limits.ts";
import { buildReportPaths, retryAfterHeader, toReportResource } from "./to-report-resource.ts";
import { preferenceAppliedHeader, waitIfRequested, type WaitForReportDeps } from "./wait.ts";

export function describeStartResponse(): ResponseSpec {
  return describeJson(
    "The report is queued. `reused` is true if it is an earlier report of the same caller with the same filters and options. After a wait, `status` is the current one, which can be FAILED.",
    startedReportSchema,
    {
      Location: "URL of the report's record.",
      "Retry-After": "Seconds to wait before asking for it, while it is not finished.",
      ...noStore,
      Link: "The report, and where its file can be downloaded.",
      ...idempotencyReplayedHeader,
      ...preferenceAppliedHeader,
    },
  );
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

/** Starts the report that a request asks for. Replies as createStartReplyAfterWait does. */
export async function replyAfterStart(
  deps: StartRouteDeps,
  input: HandlerInput<unknown> & { readonly definition: ReportTypeDefinition },
  start: StartInput,
  { operation, ...terms }: { readonly operation: string; readonly coalesce: boolean; readonly readFrom?: "query" },
): Promise<Reply> {
  const { principal, traceparent, requestId } = input;
  const context = {
    principalId: principal.id,
    principalName: principal.displayName,
    requiredAuthority: deps.authorities.of(input.definition.type) ?? null,
    traceparent,
    requestId,
    once: readIdempotencyKey(input.header("idempotency-key"), operation, (report) =>
      createStartReply({ report, reused: false }, deps),
    ),
    ...terms,
  };
  const starting = { ...deps, startLimits: deps.findStartLimits(principal) };
  return createStartReplyAfterWait(deps, input, await startReport(starting, context, start));
}

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

function createStartReply({ report, reused, ...started }: QueuedReport, deps: ReplyDeps): Reply {
  const links = buildReportPaths(deps.basePath, report);
  const headers = {
    Location: links.self,
    ...retryAfterHeader(report, deps.now()),
    ...noStore,
    Link: `<${links.self}>; rel="canonical", <${links.download}>; rel="enclosure"`,
  };
  const reply = replyJson({ ...toReportResource(report, deps.basePath), reused }, 202, headers);
  const audit = { recordId: report.id, reportType: report.reportType, owner: report.requestedBy };
  return replyToStart({ ...reply, audit }, started);
}

/** Adds the limits that the start counts towards, or replaces the response by the first one to the same idempotency key. */
export function replyToStart(started: Reply, { replayed, quotas }: Pick<QueuedReport, "replayed" | "quotas">): Reply {
  const reply = { ...started, ...(quotas === undefined ? {} : { quotas }) };
  return replayed === undefined ? reply : toReplayedReply(reply, replayed);
}
