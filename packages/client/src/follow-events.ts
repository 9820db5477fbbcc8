import type { CallOptions } from "./call-options.ts";
import { createEventStreamParser, type ServerSentEvent } from "./event-stream.ts";
import { bodyChunks } from "./transport/body-chunks.ts";
import { backOff } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import type { ProgressEvent, ReportEvent } from "./wire/report.ts";

/** What happens to a report: a transition, or how far it is. docs/contract.md §4.5. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly progress: ProgressEvent };

/** Transitions after which nothing follows. Others, of later versions, are known by the 204 of the next request. */
const lastStates: readonly string[] = ["SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "DELETED"];
/** Before a stream that has ended is opened again. */
const reconnectMs = 1_000;

/** Every transition once, from the creation on, and progress in between, until the report has ended. Comes back where a stream breaks off. */
export async function* followEvents(
  transport: Transport,
  id: string,
  { signal }: CallOptions = {},
): AsyncGenerator<ReportNews, void, void> {
  let lastEventId = "";
  let failures = 0;
  for (;;) {
    try {
      const headers = { Accept: "text/event-stream", ...(lastEventId !== "" && { "Last-Event-ID": lastEventId }) };
      const answer = await transport.sendOnce({ method: "GET", path: ["reports", id, "events"], headers, signal });
      if (answer.status === 204) return;
      for await (const event of eventsIn(answer)) {
        failures = 0;
        lastEventId = event.lastEventId || lastEventId;
        const news = newsOf(event);
        if (news !== null) yield news;
        if (news?.kind === "status" && lastStates.includes(news.event.to)) return;
      }
    } catch (error) {
      await backOff(transport.pacing, signal, ++failures, error);
      continue;
    }
    await transport.pacing.pause(reconnectMs, signal);
  }
}

async function* eventsIn(answer: Response): AsyncGenerator<ServerSentEvent, void, void> {
  const parser = createEventStreamParser();
  for await (const bytes of bodyChunks(answer)) yield* parser.push(bytes);
}

/** Null of what later versions add. */
function newsOf({ event, data }: ServerSentEvent): ReportNews | null {
  if (event === "status") return { kind: "status", event: JSON.parse(data) as ReportEvent };
  if (event !== "progress") return null;
  return { kind: "progress", progress: JSON.parse(data) as ProgressEvent };
}
