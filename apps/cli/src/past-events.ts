import type { Report, ReportEvent, Reports } from "@reports/client";
import type { EventCause } from "./output/describe-cause.ts";

/** What has happened comes at once; events that come later happen from now on. */
const pauseMs = 500;

/** Nobody waits longer for words about a report. */
const patienceMs = 3_000;

/**
 * What has happened to a report, from its creation to its end or until now. The client has events as a stream, which tells nothing of where
 * the past ends but by progress, the end, or a pause.
 */
export async function readPastEvents(
  reports: Pick<Reports<never>, "events">,
  id: string,
  signal: AbortSignal,
): Promise<readonly ReportEvent[]> {
  const pause = new AbortController();
  const past: ReportEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const news of reports.events(id, { signal: AbortSignal.any([signal, pause.signal]) })) {
      if (news.kind === "progress") break;
      past.push(news.event);
      clearTimeout(timer);
      timer = setTimeout(() => pause.abort(), pauseMs);
    }
  } catch (error) {
    if (!pause.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  return past;
}

/** Why a report waits that a worker has handed back; null of any other, and where it is not to be learnt soon. */
export async function readWaitCause(
  reports: Pick<Reports<never>, "events">,
  { id, status, createdAt, updatedAt }: Report,
  signal: AbortSignal,
): Promise<EventCause | null> {
  // Nothing has happened to it yet.
  if (status !== "QUEUED" || updatedAt === createdAt) return null;
  try {
    const past = await readPastEvents(reports, id, AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]));
    return past.at(-1)?.because ?? null;
  } catch {
    return null;
  }
}
