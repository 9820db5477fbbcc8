import { StoreUnavailableError } from "../../base/errors.ts";
import { assertReportNotDeleted, reportNotFoundError } from "./open-report.ts";
import type { Report, ReportEvent, ReportProgress } from "./report-record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";

export interface ReportChangeListener {
  onChange(reportId: string): void;
  /** The connection is up: changes are reported from now on. Earlier changes may have been missed. */
  onLive(): void;
  onLost(error: unknown): void;
}

/** Port that notifies of changed reports, over one database connection for all reports. */
export interface ReportChangeFeed {
  listen(listener: ReportChangeListener): void;
  /** Returns the revisions of reports in one query, without unknown IDs. Used instead of notifications while the connection is lost. */
  readRevisions(reportIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Why a wait ended: the report may have changed, the signal aborted, or the process stops. */
export type WaitOutcome = "changed" | "aborted" | "closed";

/** A caller's watch of one report. Dispose it to release its resources. */
export interface ReportWatch extends Disposable {
  read(): Promise<Report | null>;
  /** Resolves once the report may have changed since the last `read` began. */
  changed(signal: AbortSignal): Promise<WaitOutcome>;
}

/** Opens watches of reports for all callers of this process, and limits their number. */
export interface ReportWatches {
  /** Watches a report, or an additional format of the report `ofReport`. Throws RateLimitedError above the limit of watches. */
  open(id: string, principalId: string, ofReport?: string): ReportWatch;
}

/** Returns the report once `isReached` accepts it, the signal aborts or the process stops. Throws DomainError (gone, not-found) if deleted. */
export async function waitForReport(
  watch: ReportWatch,
  isReached: (report: Report) => boolean,
  signal: AbortSignal,
): Promise<Report> {
  for (;;) {
    const report = await watch.read();
    if (report === null) throw reportNotFoundError();
    assertReportNotDeleted(report);
    if (isReached(report) || (await watch.changed(signal)) !== "changed") return report;
  }
}

/** A change of state or progress that followers of a report receive. */
export type ReportNews =
  | { readonly kind: "status"; readonly event: ReportEvent }
  | { readonly kind: "progress"; readonly attempt: number; readonly progress: ReportProgress };

/** Yields every event after `afterId` in order, and progress, of which a slow follower gets only the newest. Ends after the terminal event, on abort or when the process stops. Waits while the database is unavailable. */
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
      // A requeue of a QUEUED report changes only its revision. For a RUNNING report, progress changes the revision without an event.
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

/** Reports whether an event ends the work on its report. Only expiry and deletion can follow. */
export function isLast({ to }: Pick<ReportEvent, "to">): boolean {
  return to === "DELETED" || isTerminal(to);
}
