import { isTerminal, type ReportStore } from "@reports/core";
import type { ReportCounters } from "@reports/runtime";

/** The store, counting what it writes: which reports begin, and which are cancelled. Whoever removes an open report cancels it. */
export function countReports(reports: ReportStore, counters: ReportCounters): ReportStore {
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
      const before = await reports.remove(...args);
      if (before !== null && !isTerminal(before.status)) counters.finished(before, "CANCELLED");
      return before;
    },
  };
}
