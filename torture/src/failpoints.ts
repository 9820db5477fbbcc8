import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { SourceEdit } from "./processes/rewrite-sources.ts";

/** Ends the process, throws in it, or stops it until somebody resumes it. */
export const failpointActions = ["kill", "throw", "stop"] as const;
export type FailpointAction = (typeof failpointActions)[number];

export interface Failpoint {
  readonly name: string;
  readonly process: "worker" | "renderer";
  readonly actions: readonly FailpointAction[];
}

export const failpoints: readonly Failpoint[] = [
  { name: "before-claim", process: "worker", actions: failpointActions },
  // In the rows of the harness's own report type.
  { name: "rendering", process: "renderer", actions: failpointActions },
  // An error has nowhere to go there: it is a listener of messages.
  { name: "while-its-renderer-works", process: "worker", actions: ["kill", "stop"] },
  { name: "before-put", process: "worker", actions: failpointActions },
  { name: "after-put", process: "worker", actions: failpointActions },
  { name: "after-publish", process: "worker", actions: failpointActions },
];

const runReport = "packages/core/src/report/run/run-report.ts";

export const failpointEdits: readonly SourceEdit[] = [
  insert("before-claim", "const claim = await deps.reports.claim("),
  {
    file: runReport,
    text: "onProgress: attempt.advance,",
    by: 'onProgress: (seen) => { globalThis.hitFailpoint("while-its-renderer-works"); attempt.advance(seen); },',
  },
  insert("before-put", "const { version } = await deps.files.put({"),
  insert("after-put", "return await deps.reports.complete(report.id,"),
  {
    file: runReport,
    text: 'return { kind: "succeeded", report: await produce(deps, report, isRequesterAllowed, attempt) };',
    by: 'const published = await produce(deps, report, isRequesterAllowed, attempt); globalThis.hitFailpoint("after-publish"); return { kind: "succeeded", report: published };',
  },
];

function insert(name: string, before: string): SourceEdit {
  return { file: runReport, text: before, by: `globalThis.hitFailpoint("${name}"); ${before}` };
}

/** The folder in which failpoints are armed; in the environment of a stand's workers, and so of their renderers. */
export const failpointsVariable = "TORTURE_FAILPOINTS";

/** Does to this process once what the failpoint is armed for, if it is armed. */
export function hitFailpoint(name: string): void {
  const folder = process.env[failpointsVariable];
  if (folder === undefined) return;
  const armed = join(folder, name);
  let action: string;
  try {
    action = readFileSync(armed, "utf8");
    // The process that renames the file is the one that is hit.
    renameSync(armed, `${armed}.${process.pid}`);
  } catch {
    return;
  }
  if (action === "throw") throw new Error(`The failpoint ${name} throws.`);
  process.kill(process.pid, action === "kill" ? "SIGKILL" : "SIGSTOP");
}
