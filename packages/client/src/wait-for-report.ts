import type { CallOptions } from "./call-options.ts";
import { WaitTimeoutError } from "./errors.ts";
import { jsonOf, retryAfterOf } from "./transport/answer.ts";
import type { Transport } from "./transport/send.ts";
import type { Report } from "./wire/report.ts";

/** How a report is waited for. */
export interface WaitOptions extends CallOptions {
  /** Is told the record first as it is, then whenever it has changed, its end included. */
  readonly onProgress?: ((report: Report) => void) | undefined;
  /** After which the wait rejects with a WaitTimeoutError. None by default: a report ends by itself. */
  readonly timeoutMs?: number | undefined;
}

/** The longest wait that the gateway grants. docs/contract.md §4.4. */
const waitSeconds = 30;
/** Between two questions, where the gateway neither waits nor says when to come back. */
const defaultPauseSeconds = 2;
/** And whatever it says: no gateway is asked without a pause, and a timer waits for days at most. */
const shortestPauseSeconds = 1;
const longestPauseSeconds = 120;
/** Beyond, a timer would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Whether nothing more will be worked on. States that later versions add are known by their end, too. */
export function isEnded(report: Report): boolean {
  return report.finishedAt !== null;
}

/** The record once the report has ended, whichever way. */
export async function waitForReport(transport: Transport, id: string, options: WaitOptions = {}): Promise<Report> {
  const { signal, timeoutMs } = options;
  if (timeoutMs === undefined) return followUntilEnd(transport, id, options, signal);
  const over = new AbortController();
  const end = (): void => over.abort(new WaitTimeoutError(id, timeoutMs));
  const timer = setTimeout(end, Math.min(timeoutMs, longestTimerMs));
  const either = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    return await followUntilEnd(transport, id, options, either);
  } finally {
    clearTimeout(timer);
  }
}

async function followUntilEnd(
  transport: Transport,
  id: string,
  { onProgress }: WaitOptions,
  signal: AbortSignal | undefined,
): Promise<Report> {
  let etag: string | null = null;
  for (let isFirst = true; ; isFirst = false) {
    // Who watches sees the record at once and every change of it; who does not is answered at the end alone.
    const asksAtOnce = isFirst && onProgress !== undefined;
    const { report, headers } = await read(transport, id, signal, {
      ...(!asksAtOnce && { Prefer: `wait=${waitSeconds}` }),
      ...(onProgress !== undefined && etag !== null && { "If-None-Match": etag }),
    });
    if (report !== null) {
      etag = headers.get("ETag");
      onProgress?.(report);
      if (isEnded(report)) return report;
    }
    // Too many wait already, or something in between has taken the preference out.
    if (!asksAtOnce && headers.get("Preference-Applied") === null)
      await transport.pacing.pause(pauseSeconds(headers) * 1000, signal);
  }
}

function pauseSeconds(headers: Headers): number {
  const asked = retryAfterOf(headers) ?? defaultPauseSeconds;
  return Math.min(Math.max(asked, shortestPauseSeconds), longestPauseSeconds);
}

/** The record, null where it has not changed. */
async function read(
  transport: Transport,
  id: string,
  signal: AbortSignal | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly report: Report | null; readonly headers: Headers }> {
  const request = { method: "GET", path: ["reports", id], headers, signal, accepts: [304] } as const;
  return transport.send(request, async (answer) => ({
    report: answer.status === 304 ? null : await jsonOf<Report>(answer),
    headers: answer.headers,
  }));
}
