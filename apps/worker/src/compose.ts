import { databaseConnectionFunctions } from "@reports/db";
import {
  prepareDatabaseConnections,
  createMetrics,
  createOperationsServer,
  newId,
  type Lifecycle,
  type LifecycleStep,
} from "@reports/runtime";
import { validateTimings } from "./clocks.ts";
import { composeDatabases } from "./compose-databases.ts";
import { createReadinessChecks } from "./compose-readiness.ts";
import type { WorkerConfig } from "./config.ts";
import { composeJobParts } from "./jobs/compose-job-parts.ts";
import { composeMaintenance, createMaintenanceMetricSources } from "./maintenance/compose-maintenance.ts";
import { composeScheduleRunner } from "./maintenance/compose-schedule-runner.ts";
import { createMaintenanceMetrics } from "./maintenance/maintenance-metrics.ts";
import { createScheduleMetrics } from "./maintenance/schedule-metrics.ts";
import { composeRenderingParts } from "./renderer/compose-rendering-parts.ts";
import { composeCatalogue, composeReportTypeWatch } from "./report-types/compose-report-types.ts";
import { composeStoreParts } from "./store/compose-store-parts.ts";
import { composeLaneTaskLists } from "./tasks/compose-lane-task-lists.ts";
import { createReportMetrics } from "./tasks/report-metrics.ts";
import { composeWebhooks } from "./webhooks/compose-webhooks.ts";
import type { WorkerContext, WorkerParts } from "./worker-parts.ts";

export async function composeWorker(config: WorkerConfig, parts: WorkerParts, lifecycle: Lifecycle): Promise<void> {
  const { logger, traces } = parts;
  const clocks = validateTimings(parts.clocks);
  prepareDatabaseConnections(config, databaseConnectionFunctions, logger);
  const metrics = createMetrics(import.meta.url);
  const catalogue = composeCatalogue(parts.reportTypes);
  const { shutDown } = lifecycle;
  const base: WorkerContext = { ...parts, config, metrics, catalogue, unique: newId().slice(-12), shutDown };

  const reportMetrics = createReportMetrics(metrics, catalogue.list());
  const databases = composeDatabases(base);
  const { database, clock } = databases;
  const typeWatch = composeReportTypeWatch(base, databases);
  const store = await composeStoreParts(base, database);
  const rendering = composeRenderingParts(base, databases, store);
  const jobs = composeJobParts(base, databases, { typeWatch, store, rendering });
  const tasksOf = composeLaneTaskLists(base, databases, { typeWatch, store, rendering, jobs, reportMetrics });
  const { runner, heartbeat, workerId } = jobs;
  const maintenance = composeMaintenance({
    config,
    reconcilerArguments: parts.reconcilerArguments,
    database,
    registry: jobs.registry,
    files: store.files,
    identity: store.identity,
    gate: jobs.gate,
    isTakingJobs: runner.isRunning,
    runSchedules: composeScheduleRunner({
      ...databases,
      catalogue,
      logger,
      metrics: createScheduleMetrics(metrics, reportMetrics.counters),
      limits: config,
      compareEveryMs: clocks.schedules.compareEveryMs,
    }),
    logger,
    metrics: createMaintenanceMetrics(metrics, reportMetrics.counters, {
      ...createMaintenanceMetricSources(database),
      heartbeatAgeMs: heartbeat.ageMs,
      storeState: store.identity.state,
    }),
    clocks,
  });
  const webhooks = await composeWebhooks(config, { database, metrics, logger });
  const operations = createOperationsServer({
    host: config.host,
    port: config.port,
    metrics,
    logger,
    checks: createReadinessChecks(base, database, { store, rendering, jobs }),
  });

  const steps: readonly LifecycleStep[] = [
    { name: "traces", stop: async () => traces.close() },
    {
      name: "operations",
      async start() {
        const { address, port } = await operations.start();
        logger.info("health and metrics are served", { address, port });
      },
      stop: operations.stop,
    },
    databases.step,
    { name: "clock", start: clock.start, stop: clock.stop },
    { name: "changes", stop: databases.changes.close },
    // Starts before the heartbeat, because a heartbeat lists the report types that this worker serves.
    { name: "report types", start: typeWatch.start, stop: typeWatch.stop },
    { name: "heartbeat", start: heartbeat.start, stop: heartbeat.stop },
    // Starts before the renderers, which start slowly on a busy machine, so that a starting worker can already rescue reports.
    { name: "maintenance", start: maintenance.start, stop: maintenance.stop },
    ...(webhooks === null ? [] : [{ name: "webhooks", start: webhooks.start, stop: webhooks.stop }]),
    { name: "spool", start: rendering.spool.start, stop: rendering.spool.stop },
    { name: "renderers", start: rendering.renderers.start, stop: rendering.renderers.close },
    { name: "store", start: store.watch.start, stop: store.watch.stop },
    { name: "host", start: rendering.host.start, stop: rendering.host.stop },
    {
      name: "runner",
      async start() {
        await runner.start(tasksOf);
        logger.info("worker is ready", { workerId, concurrency: config.concurrency, ...metrics.build });
      },
      stop: runner.stop,
      stopTimeoutMs: config.shutdownGraceSeconds * 1000 + 10_000,
    },
  ];
  for (const step of steps) lifecycle.add(step);
  lifecycle.signal.addEventListener("abort", () => {
    heartbeat.announceStop().catch((error: unknown) => logger.warn("the stop could not be announced", { error }));
  });
}
