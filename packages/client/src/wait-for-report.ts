import type { CallOptions } from "./call-options.ts";
import { WaitTimeoutError } from "./errors.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import { readJsonAndHeaders, parseRetryAfterSeconds } from "./transport/response.ts";
import { runWithTimeout } from "./transport/client-timing.ts";
import type { Transport } from "./transport/send.ts";
import type { Report } from "./wire/generated/report.ts";

/** Options of `wait`, which waits until a report has ended. */
export interface WaitOptions extends CallOptions {
  /** Called with the record of the report immediately and after every change, including the end. */
  readonly onProgress?: ((report: Report) => void) | undefined;
  /** Milliseconds after which the wait rejects with a WaitTimeoutError. No limit by default, because every report ends. */
  readonly timeoutMs?: number | undefined;
}

/** The longest time in seconds for which the gateway delays a response. docs/reference/resources/reports.md#reading-a-report. */
const maxServerWaitSeconds = 30;
/** The pause between two requests if the gateway neither delays its response nor sends `Retry-After`. */
const defaultPauseSeconds = 2;
/** Limits of a pause that `Retry-After` requests. The client never polls without a pause, and never waits for days. */
const minPauseSeconds = 1;
const maxPauseSeconds = 120;

/** Reports whether a report has ended. `finishedAt` also covers statuses of later versions. */
export function isReportEnded(report: Report): boolean {
  return report.finishedAt !== null;
}

/** Resolves with the record of a report once it has ended, whether it succeeded or not. */
export async function waitForReport(transport: Transport, id: string, options: WaitOptions = {}): Promise<Report> {
  const { signal, timeoutMs } = options;
  if (timeoutMs === undefined) return followUntilEnd(transport, id, options, signal);
  const follow = async (either: AbortSignal): Promise<Report> => followUntilEnd(transport, id, options, either);
  return runWithTimeout(timeoutMs, signal, follow, new WaitTimeoutError(id, timeoutMs));
}

async function followUntilEnd(
  transport: Transport,
  id: string,
  { onProgress, onRetry }: WaitOptions,
  signal: AbortSignal | undefined,
): Promise<Report> {
  const at = createResourceClientFactory(transport, "reports")(id);
  let etag: string | null = null;
  for (let isFirst = true; ; isFirst = false) {
    // With `onProgress`, the first response comes immediately and later ones after changes. Without it, the gateway responds at the end of the
    // report.
    const readsImmediately = isFirst && onProgress !== undefined;
    const headers: Readonly<Record<string, string>> = {
      ...(!readsImmediately && { Prefer: `wait=${maxServerWaitSeconds}` }),
      ...(onProgress !== undefined && etag !== null && { "If-None-Match": etag }),
    };
    const more = { accepts: [304], headers };
    const [report, sent] = await at.send("GET", { signal, onRetry }, more, readJsonAndHeaders<Report | null>);
    if (report !== null) {
      etag = sent.get("ETag");
      onProgress?.(report);
      if (isReportEnded(report)) return report;
    }
    // The gateway has not delayed its response: too many requests wait already, or a proxy has removed the `Prefer` header.
    if (!readsImmediately && sent.get("Preference-Applied") === null) {
      const asked = parseRetryAfterSeconds(sent) ?? defaultPauseSeconds;
      const seconds = Math.min(Math.max(asked, minPauseSeconds), maxPauseSeconds);
      await transport.pacing.pause(seconds * 1000, signal);
    }
  }
}
