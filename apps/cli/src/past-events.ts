import type { Report, ReportEvent, Reports } from "@reports/client";
import type { EventCause } from "./output/describe-event-cause.ts";

/** If no event follows QUEUED for this long, the program reads the report's status, because there may be no more past events. */
const endPauseMs = 500;

const maxWaitMs = 3_000;

type ReportReader = Pick<Reports<never>, "events" | "get">;

/**
 * Returns the past events of a report. The gateway marks their end by sending progress or by closing the stream. For a queued report, it does
 * neither.
 */
export async function readPastEvents(
  reports: ReportReader,
  id: string,
  signal: AbortSignal,
): Promise<readonly ReportEvent[]> {
  const end = new AbortController();
  const ending = AbortSignal.any([signal, end.signal]);
  const past: ReportEvent[] = [];
  let failure: unknown;
  let timer: NodeJS.Timeout | undefined;
  // If the report is no longer queued, the stream stays open, because more past events will arrive.
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
      if (news.event.to === "QUEUED") timer = setTimeout(() => void endWhereQueued(), endPauseMs);
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

/** Returns why a requeued report waits. Returns null for other reports, or if the events can't be read within 3 s. */
export async function readWaitCause(
  reports: ReportReader,
  { id, status, createdAt, updatedAt }: Report,
  signal: AbortSignal,
): Promise<EventCause | null> {
  // A report that has not changed since its creation was never requeued.
  if (status !== "QUEUED" || updatedAt === createdAt) return null;
  try {
    const past = await readPastEvents(reports, id, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]));
    return past.at(-1)?.because ?? null;
  } catch {
    return null;
  }
}
