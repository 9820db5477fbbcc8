import type { Report, ReportEvent, Reports } from "@reports/client";
import type { EventCause } from "./output/describe-cause.ts";

/** After which a report that waits is asked for: what has happened comes at once, and of what follows nobody knows when it comes. */
const pauseMs = 500;

/** Nobody waits longer for words about a report. */
const patienceMs = 3_000;

type Reading = Pick<Reports<never>, "events" | "get">;

/**
 * What has happened to a report, from its creation to its end or until now. The client has events as a stream, which tells where the past
 * of a running report ends, by progress, and closes where it has ended; only of one that is queued it tells nothing.
 */
export async function readPastEvents(
  reports: Reading,
  id: string,
  signal: AbortSignal,
): Promise<readonly ReportEvent[]> {
  const end = new AbortController();
  const ending = AbortSignal.any([signal, end.signal]);
  const past: ReportEvent[] = [];
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  // The others are further than what has come of their events.
  const endWhereQueued = async (): Promise<void> => {
    try {
      if ((await reports.get(id, { signal: ending })).status === "QUEUED") end.abort();
    } catch (error) {
      failure = error;
      end.abort();
    }
  };
  try {
    for await (const news of reports.events(id, { signal: ending })) {
      if (news.kind === "progress") break;
      past.push(news.event);
      clearTimeout(timer);
      if (news.event.to === "QUEUED") timer = setTimeout(() => void endWhereQueued(), pauseMs);
    }
  } catch (error) {
    if (failure instanceof Error) throw failure;
    if (!end.signal.aborted || signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
    end.abort();
  }
  return past;
}

/** Why a report waits that a worker has handed back; null of any other, and where it is not to be learnt soon. */
export async function readWaitCause(
  reports: Reading,
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
