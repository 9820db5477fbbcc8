import { DomainError } from "@reports/core/base";
import {
  followReport,
  isLast,
  type ReportEvent,
  type ReportNews,
  type ReportStore,
  type ReportWatches,
} from "@reports/core/report";
import { reportEventSchema, type ProgressEvent, type ReportEvent as ReportEventResource } from "@reports/core/wire";
import { z } from "zod";
import type { ApiTimings } from "../clocks.ts";
import { defineEndpoint, replyJson, type Endpoint, type HandlerInput } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { watchCallerCredentials } from "../endpoint/watch-caller-credentials.ts";
import { chooseMediaType } from "../http/accept.ts";
import { formatServerSentEvent, addHeartbeats } from "../http/event-stream.ts";

export interface ReportEventsDeps {
  readonly reports: Pick<ReportStore, "listEvents">;
  readonly watches: ReportWatches;
  readonly clocks: Pick<ApiTimings, "streamHeartbeatMs" | "maxStreamMs">;
}

const eventMediaTypes = ["application/json", "text/event-stream"] as const;

export function listReportEventsEndpoint(deps: ReportEventsDeps): Endpoint {
  const headers = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no, for streams: proxies forward each event immediately.",
  };
  return defineEndpoint({
    method: "GET",
    path: "/v1/reports/{id}/events",
    operationId: "listReportEvents",
    summary: "Lists the transitions of a report, or follows them",
    description:
      "As JSON, the events so far. As an event stream, the events so far or after Last-Event-ID, and then each new event.",
    tag: openApiTags.reports,
    access: { kind: "report", in: "path" },
    headers: { "Last-Event-ID": "Streams: id of the last event that the caller has." },
    produces: eventMediaTypes,
    responses: {
      200: {
        kind: "json",
        description:
          "The events, oldest first; the first is the creation. As a stream: `event: status` with an event and its id, `event: progress` in between, until the terminal event.",
        schema: z.array(reportEventSchema),
        streams: true,
        headers,
      },
      204: { kind: "empty", description: "Streams: the caller has the terminal event already and must not reconnect." },
    },
    async handle(input) {
      const { id } = input.report;
      const choice = chooseMediaType(input.header("accept"), eventMediaTypes);
      if (choice.outcome !== "chosen" || choice.mediaType === "application/json") {
        const value = (await deps.reports.listEvents(id)).map(eventResource);
        return replyJson(value);
      }
      const afterId = parseLastEventId(input.header("last-event-id"));
      if (afterId > 0 && (await deps.reports.listEvents(id)).some((event) => isLast(event) && event.id <= afterId)) {
        return { status: 204, body: { kind: "empty" } };
      }
      return {
        status: 200,
        headers: { "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
        body: {
          kind: "events",
          open: async (leaving) =>
            openStream(deps, input, { reportId: id, principalId: input.principal.id, afterId }, leaving),
        },
      };
    },
  });
}

function openStream(
  deps: ReportEventsDeps,
  input: Pick<HandlerInput<never>, "confirmCaller">,
  from: { readonly reportId: string; readonly principalId: string; readonly afterId: number },
  leaving: AbortSignal,
): AsyncIterable<string> {
  // The caller may have disconnected before this line. Then no watch is opened, because nothing would close it.
  leaving.throwIfAborted();
  // The watch is opened before the status is sent, so that the API can still answer 429 at the limit of watches.
  const watch = deps.watches.open(from.reportId, from.principalId);
  const { streamHeartbeatMs: heartbeatMs, maxStreamMs } = deps.clocks;
  const caller = watchCallerCredentials(input, heartbeatMs);
  const over = new AbortController();
  const end = (): void => over.abort();
  const timer = setTimeout(end, maxStreamMs);
  over.signal.addEventListener("abort", () => {
    clearTimeout(timer);
    leaving.removeEventListener("abort", end);
    caller[Symbol.dispose]();
    watch[Symbol.dispose]();
  });
  leaving.addEventListener("abort", end, { once: true });
  caller.refused.addEventListener("abort", end, { once: true });
  const news = followReport(deps, watch, from, over.signal);
  return addHeartbeats(formatNews(news, from.reportId, end), heartbeatMs);
}

async function* formatNews(news: AsyncIterable<ReportNews>, reportId: string, end: () => void): AsyncGenerator<string> {
  try {
    for await (const one of news) {
      yield one.kind === "status"
        ? formatServerSentEvent({ event: "status", id: String(one.event.id), data: eventResource(one.event) })
        : formatServerSentEvent({
            event: "progress",
            data: { reportId, attempt: one.attempt, ...one.progress } satisfies ProgressEvent,
          });
    }
  } finally {
    end();
  }
}

function parseLastEventId(header: string | undefined): number {
  if (header === undefined || header === "") return 0;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  const message = "Last-Event-ID must be the id of an event of this report.";
  throw new DomainError("bad-request", "invalid-header", message, {
    issues: [{ header: "Last-Event-ID", code: "malformed_header", message }],
  });
}

function eventResource(event: ReportEvent): ReportEventResource {
  const { id, reportId, from, to, attempt, at, because } = event;
  return { id, reportId, from, to, attempt, at: at.toISOString(), because, actor: actorResource(event.actor) };
}

/**
 * Returns `worker` for `system` and for any worker process, so that callers do not see the worker's ID. IDs of principals begin with `basic:` or
 * contain a `|`.
 */
function actorResource(actor: string | null): string | null {
  return actor === "system" || /^worker:[^|]*$/.test(actor ?? "") ? "worker" : actor;
}
