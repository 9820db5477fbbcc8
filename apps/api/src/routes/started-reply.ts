import { retryAfterSeconds, type Clock, type QueuedReport } from "@reports/core";
import type { z } from "zod";
import type { Reply, ResponseSpec } from "../endpoint/endpoint.ts";
import { replay, replayedHeader } from "../idempotency/once.ts";
import { reportLinks, reportResource } from "./report-resource.ts";

/** What every start answers. docs/contract.md §3.1. */
export function startedResponse(schema: z.ZodType): ResponseSpec {
  return {
    kind: "json",
    description:
      "The report is queued; `reused` says whether it is an earlier one of the same caller for the same thing.",
    schema,
    headers: {
      Location: "The report in its canonical form.",
      "Retry-After": "Seconds to wait before asking for it.",
      "Cache-Control": "no-store",
      Link: "The report, and where its file can be downloaded.",
      ...replayedHeader,
    },
  };
}

/** The answer of both starts: the same body and headers. */
export function startedReply(
  { report, reused, replayed, quotas }: QueuedReport,
  deps: { readonly now: Clock; readonly basePath: string },
): Reply {
  const links = reportLinks(deps.basePath, report);
  const reply: Reply = {
    status: 202,
    headers: {
      Location: links.self,
      "Retry-After": String(retryAfterSeconds(report, deps.now())),
      "Cache-Control": "no-store",
      Link: `<${links.self}>; rel="canonical", <${links.download}>; rel="enclosure"`,
    },
    body: { kind: "json", value: { ...reportResource(report, deps.basePath), reused } },
    ...(quotas === undefined ? {} : { quotas }),
    audit: { recordId: report.id, reportType: report.reportType, owner: report.requestedBy },
  };
  return replayed === undefined ? reply : replay(reply, replayed);
}
