import type { SourceEdit } from "./processes/rewrite-sources.ts";

/** A protection that is switched off. */
export interface Mutation {
  readonly edits: readonly SourceEdit[];
  /** The shortest run in which its absence shows. */
  readonly run: string;
  /** The invariants of which one has to tell. */
  readonly tells: readonly string[];
}

/** The mutation check: with any of these the harness must go red. */
export const mutations: Readonly<Record<string, Mutation>> = {
  // A worker that wakes writes over the attempt that took its place.
  fence: {
    edits: [
      {
        file: "packages/db/src/report-transitions.ts",
        text: '    eq(reports.attempt, attempt),\n    eq(reports.status, "RUNNING"),',
        by: '    eq(reports.status, "RUNNING"),',
      },
    ],
    run: "chaos --only lease --reports 120 --kills 0 --patience 60",
    tells: ["I3", "I8"],
  },
  // Nobody takes over what a dead worker held.
  rescuer: {
    edits: [
      {
        file: "packages/db/src/rescuer.ts",
        text: "if (!turn!.mine) return null;",
        by: "return null;",
      },
    ],
    run: "chaos --only worker --reports 30 --kills 4 --patience 45",
    tells: ["I2"],
  },
  // The end of a report is written whatever state it is in by now.
  cas: {
    edits: [
      {
        file: "packages/db/src/report-transitions.ts",
        text: '    eq(reports.status, "RUNNING"),\n    isNull(reports.deletedAt),',
        by: "",
      },
    ],
    run: "chaos --only nothing --reports 150 --kills 0 --clients 4 --patience 60",
    tells: ["I8"],
  },
  // Causes that can pass are tried again at once.
  backoff: {
    edits: [
      {
        file: "packages/core/src/report/retry-policy.ts",
        text: "delayMs: Math.round(seconds * 1000 * factor)",
        by: "delayMs: 0 * seconds * factor",
      },
    ],
    run: "store-away --minutes 0.5 --reports 20",
    tells: ["S2"],
  },
  // The writes that end jobs are nobody's business, as is the queue's default: a stop does not await them.
  "batch-delay": {
    edits: [
      {
        file: "apps/worker/src/job-runner.ts",
        text: "completeJobBatchDelay: 0,",
        by: "completeJobBatchDelay: -1,",
      },
    ],
    run: "graceful-exits --times 4",
    tells: ["G1"],
  },
  // What was refused while Postgres stood still is written when it goes on.
  "abandoned-work": {
    edits: [
      {
        file: "packages/db/src/guarded-transaction.ts",
        text: "call.signal.throwIfAborted();\n      // now() is",
        by: "// now() is",
      },
      {
        file: "packages/db/src/guarded-transaction.ts",
        text: "call.signal.throwIfAborted();\n      call.commits();",
        by: "",
      },
      {
        file: "packages/db/src/guarded-transaction.ts",
        text: "const text = guardText(call.remainingMs());",
        by: 'const text = "select 1"; void guardText;',
      },
    ],
    run: "frozen-postgres --times 1 --clients 4",
    tells: ["I12"],
  },
};
