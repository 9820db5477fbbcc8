import type { Report, ReportStore } from "@reports/core/report";
import type { ReportCounters } from "@reports/runtime";

/** A store that tells what a removal has cancelled: the report itself or further files of it. */
interface TellingReportStore extends ReportStore {
  remove(id: string, actor: string): Promise<(Report & { readonly cancelled: readonly Report[] }) | null>;
}

/** The store, counting what it writes: which reports begin, and which are cancelled. Whoever removes a report cancels it and its further files where they are open. */
export function countReports(reports: TellingReportStore, counters: ReportCounters): ReportStore {
  return {
    ...reports,
    async createQueued(...args) {
      const queued = await reports.createQueued(...args);
      if (!queued.reused && queued.replayed === undefined) counters.created(queued.report);
      return queued;
    },
    async cancel(...args) {
      const cancelled = await reports.cancel(...args);
      if (cancelled !== null) counters.finished(cancelled, "CANCELLED");
      return cancelled;
    },
    async remove(...args) {
      const removed = await reports.remove(...args);
      for (const cancelled of removed?.cancelled ?? []) counters.finished(cancelled, "CANCELLED");
      return removed;
    },
  };
}
