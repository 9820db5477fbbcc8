import type { Report, ReportStore } from "@reports/core/report";
import type { ReportCounters } from "@reports/runtime";

interface RemovalReportingStore extends ReportStore {
  remove(id: string, actor: string): Promise<(Report & { readonly cancelled: readonly Report[] }) | null>;
}

/** Wraps a report store so that metrics count created and cancelled reports. The removal of an unfinished report counts as a cancellation. */
export function createCountingReportStore(reports: RemovalReportingStore, counters: ReportCounters): ReportStore {
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
