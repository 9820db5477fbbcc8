import { FencedOutError, type ReportLane } from "@reports/core/base";
import {
  runReport,
  runReportPayloadSchema,
  runReportTaskName,
  runReportWithRowsTaskName,
  type Report,
  type RunDeps,
  type RunOutcome,
} from "@reports/core/report";
import type { Logger, Tracer } from "@reports/runtime";
import type { Task, TaskList } from "graphile-worker";
import type { LaneSlotGate } from "../jobs/lane-slot-gate.ts";
import type { ReportMetrics } from "./report-metrics.ts";
import { traceAttempt } from "./trace-attempt.ts";

export interface RunReportTaskDeps extends RunDeps {
  readonly logger: Logger;
  readonly metrics: ReportMetrics;
  readonly traces: Tracer;
  readonly requeueSignal: AbortSignal;
  readonly gate: Pick<LaneSlotGate, "run">;
  readonly lane: ReportLane;
}

/**
 * Returns the tasks of one lane. Workers of earlier versions know only the first name. Jobs of reports with row snapshots have the second name, so
 * such a worker never takes them.
 */
export function createReportTasks(deps: RunReportTaskDeps): TaskList {
  const task = createRunReportTask(deps);
  return { [runReportTaskName]: task, [runReportWithRowsTaskName]: task };
}

type UnservedOutcome = Extract<RunOutcome, { readonly kind: "handed-back" }>;

/** Maximum number of messages that this worker remembers, so that it logs each as a warning only once. */
const maxRememberedMessages = 1_000;

/** Returns a task that runs one attempt. It throws if the outcome was not recorded, so that the job stays in the queue. */
export function createRunReportTask(deps: RunReportTaskDeps): Task {
  const logged = new Set<string>();
  return async (payload) => {
    const { reportId, traceparent } = runReportPayloadSchema.parse(payload);
    const logger = deps.logger.child({ reportId, ...(traceparent ? { traceparent } : {}) });
    const startedAt = performance.now();
    const traced = traceAttempt(deps, deps.traces, traceparent ?? null);
    try {
      const outcome = await deps.gate.run(deps.lane, () => runReport(traced.deps, reportId, deps.requeueSignal));
      traced.end(outcome);
      if (outcome.kind === "handed-back") logUnserved(logger, outcome, logged);
      else logOutcome(logger, outcome, performance.now() - startedAt);
      deps.metrics.observe(outcome, performance.now() - startedAt);
    } catch (error) {
      traced.end({ kind: "thrown", error });
      if (error instanceof FencedOutError) {
        deps.metrics.fenced.inc();
        logger.warn("attempt fenced out", { error });
      } else logger.error("attempt failed before its outcome was recorded", { error });
      throw error;
    }
  };
}

/** Logs each cause as a warning only once, because the same reports are requeued until some worker serves them. */
function logUnserved(logger: Logger, outcome: UnservedOutcome, logged: Set<string>): void {
  const { report, because, message, delayMs } = outcome;
  const fields = {
    ...reportLogFields(report),
    definitionVersion: report.definitionVersion,
    because,
    detail: message,
    delayMs,
  };
  if (logged.has(message)) logger.debug("report requeued", fields);
  else logger.warn("report requeued; this worker logs each cause once", fields);
  if (logged.size < maxRememberedMessages) logged.add(message);
}

function logOutcome(logger: Logger, outcome: Exclude<RunOutcome, UnservedOutcome>, durationMs: number): void {
  if (outcome.kind === "closed" || outcome.kind === "held") {
    logger.info("job skipped", { reason: outcome.kind });
    return;
  }
  const fields = { ...reportLogFields(outcome.report), durationMs: Math.round(durationMs) };
  switch (outcome.kind) {
    case "succeeded":
      logger.info("report succeeded", {
        ...fields,
        rowCount: outcome.report.rowCount,
        sizeBytes: outcome.report.file?.sizeBytes,
      });
      return;
    case "failed":
      logger.error("report failed", { ...fields, code: outcome.report.error?.code, error: outcome.cause });
      return;
    case "requeued":
      logger.warn("attempt failed, retrying", { ...fields, delayMs: outcome.delayMs, error: outcome.cause });
  }
}

function reportLogFields(report: Report): Record<string, unknown> {
  return {
    requestId: report.requestId,
    reportType: report.reportType,
    format: report.options.format,
    attempt: report.attempt,
    failures: report.failures,
  };
}
