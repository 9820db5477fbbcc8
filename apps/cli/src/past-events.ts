import type { Report, ReportEvent, Reports } from "@reports/client";
import type { EventCause } from "./output/describe-cause.ts";

/** Past events come immediately; after this pause the state of a queued report is read. */
const pauseMs = 500;

/** Longest wait for the cause. */
const maxWaitMs = 3_000;

type Reading = Pick<Reports<never>, "events" | "get">;

/** Returns the events so far. A stream shows their end by progress, or by closing; only for a queued report it shows nothing. */
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
  // Other states are ahead of the events received so far.
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

/** Returns why a requeued report waits; null for any other, and if it cannot be found out soon. */
export async function readWaitCause(
  reports: Reading,
  { id, status, createdAt, updatedAt }: Report,
  signal: AbortSignal,
): Promise<EventCause | null> {
  // Nothing has happened to it yet.
  if (status !== "QUEUED" || updatedAt === createdAt) return null;
  try {
    const past = await readPastEvents(reports, id, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]));
    return past.at(-1)?.because ?? null;
  } catch {
    return null;
  }
}
