import type { Report, ReportEvent, Reports } from "@reports/client";
import type { EventCause } from "./output/describe-cause.ts";

/** Past events arrive without pauses. If none arrives for this long after QUEUED, the report's status is read. */
const endPauseMs = 500;

/** How long readWaitCause waits for the events. */
const maxWaitMs = 3_000;

type ReportReader = Pick<Reports<never>, "events" | "get">;

/** Returns the past events of a report. The stream marks their end with progress or by closing, except for a queued report. */
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
  // If the report is no longer queued, more events will arrive.
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

/** Returns why a requeued report waits. Returns null for other reports, and if the events cannot be read in time. */
export async function readWaitCause(
  reports: ReportReader,
  { id, status, createdAt, updatedAt }: Report,
  signal: AbortSignal,
): Promise<EventCause | null> {
  // The report was never requeued, because it has not changed since its creation.
  if (status !== "QUEUED" || updatedAt === createdAt) return null;
  try {
    const past = await readPastEvents(reports, id, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]));
    return past.at(-1)?.because ?? null;
  } catch {
    return null;
  }
}
