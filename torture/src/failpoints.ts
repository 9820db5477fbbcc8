import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { SourceEdit } from "./processes/rewrite-sources-on-load.ts";

/** Actions of an armed failpoint on its process: kill it, throw an error, or stop it (SIGSTOP) until the harness resumes it. */
export const failpointActions = ["kill", "throw", "stop"] as const;
export type FailpointAction = (typeof failpointActions)[number];

export interface Failpoint {
  readonly name: string;
  readonly process: "api" | "worker" | "renderer";
  readonly actions: readonly FailpointAction[];
}

/** Moments of a batch of starts, which the API writes in one transaction. */
export const startFailpoints: readonly Failpoint[] = [
  // Here, the transaction has written the reports and their jobs. After a thrown error, it rolls back, and one transaction per caller writes them.
  { name: "before-starts-commit", process: "api", actions: failpointActions },
  // Here, the reports exist, but no caller has a response yet.
  { name: "after-starts-commit", process: "api", actions: ["kill", "stop"] },
];

/** Moments of an attempt. */
export const attemptFailpoints: readonly Failpoint[] = [
  { name: "before-claim", process: "worker", actions: failpointActions },
  // One statement claims the reports of a batch. Here, they have been read and none is claimed. After a thrown error, another batch does that.
  { name: "before-shared-claim", process: "worker", actions: failpointActions },
  // Here, all reports of a batch are claimed in the database, but the worker does not know it yet.
  { name: "after-shared-claim", process: "worker", actions: ["kill", "stop"] },
  // The report type TORTURE_STEADY of the harness calls this failpoint for each row.
  { name: "rendering", process: "renderer", actions: failpointActions },
  // "throw" is missing, because the failpoint is in a message listener, where a thrown error is unhandled and ends the process.
  { name: "while-its-renderer-works", process: "worker", actions: ["kill", "stop"] },
  { name: "before-put", process: "worker", actions: failpointActions },
  { name: "after-put", process: "worker", actions: failpointActions },
  // One statement completes the reports of a batch. Here, some of them have stored their files and wait for the others.
  { name: "while-others-store", process: "worker", actions: ["kill", "stop"] },
  // Here, all reports of a batch have stored their files, and none is completed. After a thrown error, another batch completes them.
  { name: "before-shared-completion", process: "worker", actions: failpointActions },
  // Here, all reports of a batch are completed in the database, but the code in the worker that waits for this has no result yet.
  { name: "after-shared-completion", process: "worker", actions: ["kill", "stop"] },
  { name: "after-publish", process: "worker", actions: failpointActions },
];

const runReport = "packages/core/src/report/run/run-report.ts";
const claimReports = "packages/db/src/reports/claim-reports.ts";
const completeReports = "packages/db/src/reports/complete-reports.ts";
const startsTogether = "packages/db/src/reports/starts-together.ts";

export const failpointEdits: readonly SourceEdit[] = [
  insert(startsTogether, "before-starts-commit", "await Promise.all([storeResponses(queries, responses),"),
  {
    file: startsTogether,
    text: "(queries) => reportExists(queries, starts[0]!.report.id),\n    )",
    by: '(queries) => reportExists(queries, starts[0]!.report.id),\n    ).then((written) => { globalThis.hitFailpoint("after-starts-commit"); return written; })',
  },
  insert(claimReports, "before-shared-claim", "const claims = [...served.keys()].map("),
  insert(claimReports, "after-shared-claim", "const claimedById = new Map(claimed.map("),
  insert(runReport, "before-claim", "const claim = await deps.reports.claim("),
  {
    file: runReport,
    text: "onProgress: attempt.advance,",
    by: 'onProgress: (seen) => { globalThis.hitFailpoint("while-its-renderer-works"); attempt.advance(seen); },',
  },
  insert(runReport, "before-put", "const { version } = await deps.files.put({"),
  insert(runReport, "after-put", "return await deps.reports.complete(report.id,"),
  {
    file: "packages/db/src/reports/attempt-store.ts",
    text: "(isWriting || waiting < running() ? waitMs : 0)",
    by: '{ if (waiting < running()) globalThis.hitFailpoint("while-others-store"); return isWriting || waiting < running() ? waitMs : 0; }',
  },
  insert(
    completeReports,
    "before-shared-completion",
    'const rows = await database.query((queries) => completeReportRows(queries, "skip",',
  ),
  insert(completeReports, "after-shared-completion", "const byId = new Map(rows.map("),
  {
    file: runReport,
    text: 'return { kind: "succeeded", report: await produceFile(deps, report, isRequesterAllowed, attempt) };',
    by: 'const published = await produceFile(deps, report, isRequesterAllowed, attempt); globalThis.hitFailpoint("after-publish"); return { kind: "succeeded", report: published };',
  },
];

function insert(file: string, name: string, before: string): SourceEdit {
  return { file, text: before, by: `globalThis.hitFailpoint("${name}"); ${before}` };
}

/**
 * Environment variable of API instances, workers and renderers: the folder of armed failpoints. A file there has the name of a failpoint and contains the action.
 */
export const failpointsVariable = "TORTURE_FAILPOINTS";

export function hitFailpoint(name: string): void {
  const folder = process.env[failpointsVariable];
  if (folder === undefined) return;
  const armed = join(folder, name);
  let action: string;
  try {
    action = readFileSync(armed, "utf8");
    // Several processes may hit the failpoint at the same time. Only one succeeds in renaming the file, and performs the action.
    renameSync(armed, `${armed}.${process.pid}`);
  } catch {
    return;
  }
  if (action === "throw") throw new Error(`The failpoint ${name} throws.`);
  process.kill(process.pid, action === "kill" ? "SIGKILL" : "SIGSTOP");
}
