import { StoreUnavailableError } from "../../base/errors.ts";
import { refuseDeleted, reportNotFound } from "./open-report.ts";
import type { Report, ReportEvent, ReportProgress } from "./report-record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";

/** What a source of changes tells. */
export interface ReportChangeListener {
  onChange(reportId: string): void;
  /** From now on changes are told. Those before may have been missed. */
  onLive(): void;
  /** Changes are missed until it is live again. */
  onLost(error: unknown): void;
}

/** Tells which reports have changed, for all reports over one connection. */
export interface ReportChangeSource {
  /** Begins to tell, and comes back by itself after a loss, until it is closed. */
  listen(listener: ReportChangeListener): void;
  /** Revisions of reports, in one query, for the time in which nothing is told. Unknown ids are left out. */
  readRevisions(reportIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Why a wait for a change ended: something may have changed, the waiter's signal aborted, or all watching ends because the process stops. */
export type WaitOutcome = "changed" | "aborted" | "closed";

/** One caller's eye on one report. Disposing it frees everything. */
export interface ReportWatch extends Disposable {
  /** The record; read once for all who watch it, until it changes. */
  read(): Promise<Report | null>;
  /** Resolves once the report may have changed since the last `read` began. */
  changed(signal: AbortSignal): Promise<WaitOutcome>;
}

/** Who may be watching, in all. */
export interface ReportWatches {
  /** Watches a report, or an additional format `ofReport`. Throws RateLimitedError when too many watch already. */
  open(id: string, principalId: string, ofReport?: string): ReportWatch;
}

/**
 * Waits until the report is as wanted, or until the signal aborts or the process stops; then gives it as it is.
 * Rejects with DomainError (gone; not-found once nothing is left of it) and StoreUnavailableError.
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

/** What a follower of a report is told. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly attempt: number; readonly progress: ReportProgress };

/**
 * Tells every event after `afterId` in its order, and progress in between as it is seen: a slow follower is told the newest only.
 * Ends after the terminal event, when the signal aborts or when the process stops. Waits while the database is unavailable.
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
      // What is handed back stays as it is but for its revision, which progress moves on, too, while a report runs.
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

/** Whether the report's work is over with this event; what may follow is that its file expires or that it is deleted. */
export function isLast({ to }: Pick<ReportEvent, "to">): boolean {
  return to === "DELETED" || isTerminal(to);
}
