import type { ReportLane } from "@reports/core/base";
import type { RunDeps } from "@reports/core/report";
import { createAttemptStore, createFileRemovals } from "@reports/db";
import { newId } from "@reports/runtime";
import type { TaskList } from "graphile-worker";
import type { WorkerDatabases } from "../compose-databases.ts";
import { wrapRunDepsWithHostWatch } from "../host/compose-host-watch.ts";
import type { JobParts } from "../jobs/compose-job-parts.ts";
import type { RenderingParts } from "../renderer/compose-rendering-parts.ts";
import type { ReportTypeWatch } from "../report-types/report-type-watch.ts";
import type { StoreParts } from "../store/compose-store-parts.ts";
import { createRowSnapshotFetcher } from "../store/fetch-row-snapshot.ts";
import type { WorkerContext } from "../worker-parts.ts";
import type { ReportMetrics } from "./report-metrics.ts";
import { selectRunLimits } from "./run-limits.ts";
import { createReportTasks } from "./run-report.ts";

export function composeLaneTaskLists(
  base: WorkerContext,
  { database, attempts, changes, clock }: WorkerDatabases,
  parts: {
    readonly typeWatch: ReportTypeWatch;
    readonly store: StoreParts;
    readonly rendering: RenderingParts;
    readonly jobs: JobParts;
    readonly reportMetrics: ReportMetrics;
  },
): (lane: ReportLane) => TaskList {
  const { config, catalogue, clocks, logger, traces, wrapRunDeps = (deps) => deps } = base;
  const { files, identity } = parts.store;
  const { renderers, spool, host } = parts.rendering;
  const { runner, gate, workerId } = parts.jobs;
  const runDeps: RunDeps = {
    catalogue,
    availability: parts.typeWatch,
    host,
    reports: createAttemptStore(attempts, {
      actor: `worker:${workerId}`,
      changes,
      running: () => gate.running("quick"),
    }),
    identity,
    removals: createFileRemovals(database),
    ...wrapRunDepsWithHostWatch(host, {
      files,
      render: renderers.render,
      fetchKeptRows: createRowSnapshotFetcher({ files, identity }),
    }),
    removeSpooled: spool.remove,
    spoolPathOf: spool.pathOf,
    workerId,
    newId,
    clock: clock.now,
    retryPace: { delaysMs: clocks.retryDelaysMs, random: Math.random },
    limits: selectRunLimits(config, clocks.life),
  };
  const shared = { logger, metrics: parts.reportMetrics, traces, requeueSignal: runner.requeueSignal, gate };
  const deps = { ...wrapRunDeps(runDeps), ...shared };
  return (lane) => createReportTasks({ ...deps, lane });
}
