import type { CallOptions } from "./call-options.ts";
import { createEventStreamParser } from "./event-stream.ts";
import { bodyChunks } from "./transport/body-chunks.ts";
import { backOff } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import type { ProgressEvent, ReportEvent } from "./wire/generated/report.ts";

/** What happens to a report: a transition, or how far it is. docs/reference/resources/report-events.md#events. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly progress: ProgressEvent };

/** Transitions after which nothing follows, but for EXPIRED. Others, of later versions, are known by the 204 of the next request. */
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
  let isOver = false;
  for (;;) {
    try {
      const response = await transport.sendOnce({
        method: "GET",
        path: ["reports", id, "events"],
        headers: lastEventId ? { "Last-Event-ID": lastEventId } : {},
        mediaType: "text/event-stream",
        signal,
      });
      if (response.status === 204) return;
      const parser = createEventStreamParser();
      for await (const bytes of bodyChunks(response)) {
        for (const { event: kind, data, lastEventId: told } of parser.push(bytes)) {
          failures = 0;
          lastEventId = told || lastEventId;
          // Later versions add others.
          if (kind === "progress") yield { kind, progress: JSON.parse(data) as ProgressEvent };
          if (kind === "status") {
            const event = JSON.parse(data) as ReportEvent;
            yield { kind, event };
            // The service ends the stream after it, and after EXPIRED where the file is gone already.
            isOver = lastStates.includes(event.to);
          }
        }
      }
      if (isOver) return;
      await transport.pacing.pause(reconnectMs, signal);
    } catch (error) {
      await backOff(transport.pacing, signal, ++failures, error);
    }
  }
}
