import type { CallOptions } from "./call-options.ts";
import { createEventStreamParser } from "./event-stream.ts";
import { readBodyChunks } from "./transport/body-chunks.ts";
import { waitForRetryOrThrow } from "./transport/retry.ts";
import type { Transport } from "./transport/send.ts";
import type { ProgressEvent, ReportEvent } from "./wire/generated/report.ts";

/** News of a report: a change of its status, or its progress. docs/reference/resources/report-events.md#events. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly progress: ProgressEvent };

/** Final statuses, after which the stream ends. After a final status of a later version, the next request returns 204. */
const finalStatuses: readonly string[] = ["SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "DELETED"];
const reconnectMs = 1_000;

/** Yields every transition of a report once, and its progress, until the report has ended. Reconnects after a broken stream. */
export async function* followEvents(
  transport: Transport,
  id: string,
  options: CallOptions = {},
): AsyncGenerator<ReportNews, void, void> {
  let lastEventId = "";
  let failures = 0;
  let hasEnded = false;
  for (;;) {
    try {
      const response = await transport.sendOnce({
        method: "GET",
        path: ["reports", id, "events"],
        headers: lastEventId ? { "Last-Event-ID": lastEventId } : {},
        mediaType: "text/event-stream",
        signal: options.signal,
        onRetry: options.onRetry,
      });
      if (response.status === 204) return;
      const parser = createEventStreamParser();
      for await (const bytes of readBodyChunks(response)) {
        for (const { event: kind, data, lastEventId: eventId } of parser.push(bytes)) {
          failures = 0;
          lastEventId = eventId || lastEventId;
          // Events of other kinds come from later versions of the gateway. The client ignores them.
          if (kind === "progress") yield { kind, progress: JSON.parse(data) as ProgressEvent };
          if (kind === "status") {
            const event = JSON.parse(data) as ReportEvent;
            yield { kind, event };
            // The service ends the stream after a final status. If the file has already expired, EXPIRED follows before the end.
            hasEnded = finalStatuses.includes(event.to);
          }
        }
      }
      if (hasEnded) return;
      await transport.pacing.pause(reconnectMs, options.signal);
    } catch (error) {
      await waitForRetryOrThrow(transport.pacing, options, ++failures, error);
    }
  }
}
