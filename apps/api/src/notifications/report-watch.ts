import { addAbortListener } from "node:events";
import type { Report, ReportWatch, WaitOutcome } from "@reports/core/report";

export interface WakeableWatch {
  wake(outcome: WaitOutcome): void;
}

/** Creates the watch of one caller on one report. If the report changes while the caller does not wait, the caller's next wait ends immediately. */
export function createReportWatch(hub: {
  read(): Promise<Report | null>;
  isClosed(): boolean;
  /** Repeated calls must be harmless. */
  onDispose(watch: WakeableWatch): void;
}): ReportWatch & WakeableWatch {
  let hasChanged = false;
  let resolveWait: ((outcome: WaitOutcome) => void) | null = null;
  const watch: ReportWatch & WakeableWatch = {
    wake(outcome) {
      hasChanged ||= outcome === "changed";
      resolveWait?.(outcome);
    },
    read() {
      hasChanged = false;
      return hub.read();
    },
    async changed(signal) {
      if (signal.aborted) return "aborted";
      if (hub.isClosed()) return "closed";
      if (hasChanged) return "changed";
      const { promise, resolve } = Promise.withResolvers<WaitOutcome>();
      resolveWait = resolve;
      using _ = addAbortListener(signal, () => resolve("aborted"));
      try {
        return await promise;
      } finally {
        resolveWait = null;
      }
    },
    [Symbol.dispose]: () => hub.onDispose(watch),
  };
  return watch;
}
