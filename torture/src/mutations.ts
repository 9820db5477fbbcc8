import type { SourceEdit } from "./processes/rewrite-sources.ts";

/** The mutation check: protections switched off, one at a time. With any of these the harness must go red. */
export const mutations: Readonly<Record<string, readonly SourceEdit[]>> = {
  // A worker that wakes writes over the attempt that took its place.
  fence: [
    {
      file: "packages/db/src/report-transitions.ts",
      text: '    eq(reports.attempt, attempt),\n    eq(reports.status, "RUNNING"),',
      by: '    eq(reports.status, "RUNNING"),',
    },
  ],
  // Nobody takes over what a dead worker held.
  rescuer: [
    {
      file: "packages/db/src/rescuer.ts",
      text: "if (!turn!.mine) return null;",
      by: "return null;",
    },
  ],
  // The end of a report is written whatever state it is in by now.
  cas: [
    {
      file: "packages/db/src/report-transitions.ts",
      text: '    eq(reports.status, "RUNNING"),\n    isNull(reports.deletedAt),',
      by: "",
    },
  ],
  // Causes that can pass are tried again at once.
  backoff: [
    {
      file: "packages/core/src/report/retry-policy.ts",
      text: "delayMs: Math.round(seconds * 1000 * factor)",
      by: "delayMs: 0 * seconds * factor",
    },
  ],
  // The writes that end jobs are nobody's business, as is the queue's default: a stop does not await them.
  "batch-delay": [
    {
      file: "apps/worker/src/job-runner.ts",
      text: "completeJobBatchDelay: 0,",
      by: "completeJobBatchDelay: -1,",
    },
  ],
};
