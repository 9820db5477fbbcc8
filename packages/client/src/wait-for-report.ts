import type { CallOptions } from "./call-options.ts";
import { WaitTimeoutError } from "./errors.ts";
import { resourcesAt } from "./resource.ts";
import { jsonAndHeadersOf, retryAfterOf } from "./transport/response.ts";
import { within } from "./transport/pacing.ts";
import type { Transport } from "./transport/send.ts";
import type { Report } from "./wire/generated/report.ts";

/** How a report is waited for. */
export interface WaitOptions extends CallOptions {
  /** Is told the record first as it is, then whenever it has changed, its end included. */
  readonly onProgress?: ((report: Report) => void) | undefined;
  /** After which the wait rejects with a WaitTimeoutError. None by default: a report ends by itself. */
  readonly timeoutMs?: number | undefined;
}

/** The longest wait that the gateway grants. docs/reference/resources/reports.md#reading-a-report. */
const waitSeconds = 30;
/** Between two questions, where the gateway neither waits nor says when to come back. */
const defaultPauseSeconds = 2;
/** And whatever it says: no gateway is asked without a pause, and a timer waits for days at most. */
const minPauseSeconds = 1;
const maxPauseSeconds = 120;

/** Whether nothing more will be worked on. States that later versions add are known by their end, too. */
export function isEnded(report: Report): boolean {
  return report.finishedAt !== null;
}

/** The record once the report has ended, whichever way. */
export async function waitForReport(transport: Transport, id: string, options: WaitOptions = {}): Promise<Report> {
  const { signal, timeoutMs } = options;
  if (timeoutMs === undefined) return followUntilEnd(transport, id, options, signal);
  const follow = async (either: AbortSignal): Promise<Report> => followUntilEnd(transport, id, options, either);
  return within(timeoutMs, signal, follow, new WaitTimeoutError(id, timeoutMs));
}

async function followUntilEnd(
  transport: Transport,
  id: string,
  { onProgress }: WaitOptions,
  signal: AbortSignal | undefined,
): Promise<Report> {
  const at = resourcesAt(transport, "reports")(id);
  let etag: string | null = null;
  for (let isFirst = true; ; isFirst = false) {
    // Who watches sees the record at once and every change of it; who does not is answered at the end alone.
    const readsImmediately = isFirst && onProgress !== undefined;
    const headers: Readonly<Record<string, string>> = {
      ...(!readsImmediately && { Prefer: `wait=${waitSeconds}` }),
      ...(onProgress !== undefined && etag !== null && { "If-None-Match": etag }),
    };
    const more = { accepts: [304], headers };
    const [report, sent] = await at.send("GET", { signal }, more, jsonAndHeadersOf<Report | null>);
    if (report !== null) {
      etag = sent.get("ETag");
      onProgress?.(report);
      if (isEnded(report)) return report;
    }
    // Too many wait already, or something in between has taken the preference out.
    if (!readsImmediately && sent.get("Preference-Applied") === null) {
      const asked = retryAfterOf(sent) ?? defaultPauseSeconds;
      const seconds = Math.min(Math.max(asked, minPauseSeconds), maxPauseSeconds);
      await transport.pacing.pause(seconds * 1000, signal);
    }
  }
}
