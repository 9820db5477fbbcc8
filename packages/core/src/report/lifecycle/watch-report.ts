import { StoreUnavailableError } from "../../base/errors.ts";
import { refuseDeleted, reportNotFound } from "./open-report.ts";
import type { Report, ReportEvent, ReportProgress } from "./report-record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";

export interface ReportChangeListener {
  onChange(reportId: string): void;
  /** Changes are reported from now on. Earlier ones may have been missed. */
  onLive(): void;
  /** Changes are missed until it is live again. */
  onLost(error: unknown): void;
}

/** Reports which reports have changed, all over one connection. */
export interface ReportChangeSource {
  /** Starts, and reconnects after a loss until it is closed. */
  listen(listener: ReportChangeListener): void;
  /** Reads revisions in one query, while no changes are reported. Omits unknown IDs. */
  readRevisions(reportIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Something may have changed, the signal aborted, or the process stops. */
export type WaitOutcome = "changed" | "aborted" | "closed";

/** One caller's watch of one report. Disposing it frees everything. */
export interface ReportWatch extends Disposable {
  /** The record, read once for all watchers until it changes. */
  read(): Promise<Report | null>;
  /** Resolves once the report may have changed since the last `read` began. */
  changed(signal: AbortSignal): Promise<WaitOutcome>;
}

/** The watches of all callers. */
export interface ReportWatches {
  /** Watches a report, or an additional format `ofReport`. Throws RateLimitedError above the limit. */
  open(id: string, principalId: string, ofReport?: string): ReportWatch;
}

/**
 * Waits until the report matches, the signal aborts or the process stops, and returns it. Rejects with DomainError
 * (gone; not-found once it is purged) and StoreUnavailableError.
 */
export async function waitForReport(
  watch: ReportWatch,
  isReached: (report: Report) => boolean,
  signal: AbortSignal,
): Promise<Report> {
  for (;;) {
    const report = await watch.read();
    if (report === null) throw reportNotFound();
    refuseDeleted(report);
    if (isReached(report) || (await watch.changed(signal)) !== "changed") return report;
  }
}

/** News that a follower of a report gets. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly attempt: number; readonly progress: ReportProgress };

/**
 * Yields every event after `afterId` in order, with progress in between; a slow follower gets only the newest progress. Ends
 * after the terminal event, on abort or when the process stops. Waits while the database is unavailable.
 */
export async function* followReport(
  deps: { readonly reports: Pick<ReportStore, "listEvents"> },
  watch: ReportWatch,
  from: { readonly reportId: string; readonly afterId: number },
  signal: AbortSignal,
): AsyncGenerator<ReportNews, void, void> {
  let { afterId } = from;
  let knownState = "";
  let knownProgress = "";
  do {
    try {
      const report = await watch.read();
      if (report === null) return;
      const { status, attempt, deletedAt, progress } = report;
      // A requeue changes only the revision, which progress also changes while a report runs.
      const state = JSON.stringify([status, attempt, deletedAt, status === "QUEUED" && report.revision]);
      if (state !== knownState) {
        const events = await deps.reports.listEvents(from.reportId, afterId);
        knownState = state;
        for (const event of events) {
          afterId = event.id;
          yield { kind: "status", event };
        }
        if (events.some(isLast)) return;
      }
      if (isTerminal(status) || deletedAt !== null) return;
      const seen = JSON.stringify([attempt, progress]);
      if (status === "RUNNING" && seen !== knownProgress) {
        knownProgress = seen;
        yield { kind: "progress", attempt, progress };
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  } while ((await watch.changed(signal)) === "changed");
}

/** Whether this event ends the report's work; expiry and deletion may follow. */
export function isLast({ to }: Pick<ReportEvent, "to">): boolean {
  return to === "DELETED" || isTerminal(to);
}
