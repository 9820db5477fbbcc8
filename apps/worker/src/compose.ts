import { fileURLToPath } from "node:url";
import { servedTypesOf, type RegisteredReportType, type RunDeps } from "@reports/core";
import {
  checkReportViews,
  createAttemptDatabase,
  createAttemptStore,
  createChangeBatches,
  createDatabase,
  createDatabaseClock,
  createFileRemovals,
  createQueuePool,
  createSourceDatabases,
  createWorkerRegistry,
  databaseServers,
  laneSchema,
  readAwaitingReports,
  waitUntilWritable,
} from "@reports/db";
import {
  checkConnections,
  createMetrics,
  createOperationsServer,
  describeCalls,
  type Lifecycle,
  type Logger,
  newId,
  reportTypeChoiceOf,
  type Traces,
  untilDatabaseIsReady,
} from "@reports/runtime";
import { refuseSharedSources, reportSourcesFor } from "./sources/compose-report-sources.ts";
import { composeCatalogue } from "./report-types/compose-catalogue.ts";
import type { Brand } from "./brand/brand.ts";
import { checkClocks, type WorkerClocks } from "./clocks.ts";
import type { WorkerConfig } from "./config.ts";
import { createJobRunner } from "./jobs/job-runner.ts";
import { composeHostWatch, watchAttempts } from "./host/compose-host-watch.ts";
import { createLaneGate } from "./jobs/lane-gate.ts";
import { composeWebhooks } from "./webhooks/compose-webhooks.ts";
import { composeMaintenance, maintenanceReadings } from "./maintenance/compose-maintenance.ts";
import { composeSchedules } from "./maintenance/compose-schedules.ts";
import { createMaintenanceMetrics } from "./maintenance/maintenance-metrics.ts";
import { createScheduleMetrics } from "./maintenance/schedule-metrics.ts";
import { describeWorker } from "./maintenance/describe-worker.ts";
import { createWorkerHeartbeat } from "./maintenance/worker-heartbeat.ts";
import { readinessChecks } from "./compose-readiness.ts";
import { createRendererPool } from "./renderer/renderer-pool.ts";
import { createReportMetrics } from "./tasks/report-metrics.ts";
import { createSourceWatch } from "./sources/source-watch.ts";
import { createSpoolFolder } from "./spool/spool-folder.ts";
import { createKeptRowsFetch } from "./store/fetch-kept-rows.ts";
import { composeStore } from "./store/compose-store.ts";
import { runLimitsOf } from "./tasks/run-limits.ts";
import { createReportTasks } from "./tasks/run-report.ts";
import { describeTypes } from "./report-types/type-metrics.ts";
import { createTypeWatch } from "./report-types/type-watch.ts";

// The compiler rewrites imports, not paths: the sources run .ts, dist runs .js.
const rendererEntry = fileURLToPath(import.meta.url).replace(/compose\.(ts|js)$/, "renderer/main.$1");

/** What a composition stands on beside its configuration, and what it may replace; production replaces nothing. */
export interface WorkerParts {
  readonly reportTypes: readonly RegisteredReportType[];
  /** All of the environment of renderer processes. */
  readonly rendererEnvironment: Readonly<Record<string, string>>;
  /** How documents look. */
  readonly brand: Brand;
  readonly clocks: WorkerClocks;
  readonly traces: Traces;
  readonly logger: Logger;
  /** Stands between the use case and what it uses: for tests that stop an attempt at a chosen point. */
  readonly wrapRunDeps?: (deps: RunDeps) => RunDeps;
}

/** Wires the worker and registers its parts with the lifecycle, in the order in which they start. */
export async function composeWorker(config: WorkerConfig, parts: WorkerParts, lifecycle: Lifecycle): Promise<void> {
  const { logger } = parts;
  const clocks = checkClocks(parts.clocks);
  checkConnections(config, databaseServers, logger);
  const databaseUrl = config.databaseUrl.reveal();
  const unique = newId().slice(-12);
  const self = describeWorker(config, unique);
  const { workerId } = self;
  const graceMs = config.shutdownGraceSeconds * 1000;

  const metrics = createMetrics(import.meta.url);
  const catalogue = composeCatalogue(parts.reportTypes);
  const reportMetrics = createReportMetrics(metrics, catalogue.list());
  const sources = reportSourcesFor(config, catalogue.list());
  const { queueSchema } = config;
  const database = createDatabase({ url: databaseUrl, queueSchema, max: 4 });
  describeCalls(metrics, database.load);
  const clock = createDatabaseClock(database, { onFailure: (error) => logger.debug("clock not read", { error }) });
  const attempts = createAttemptDatabase({ url: databaseUrl, queueSchema, max: config.concurrency });
  const changes = createChangeBatches({
    database,
    onFailure: (error) =>
      logger.debug("changed reports could not be announced to the API instances, retrying", { error }),
  });
  const reports = createAttemptStore(attempts, { actor: `worker:${workerId}`, changes });
  const { files, identity, storeWatch, prove } = await composeStore(config, database, clocks.store, logger);
  const sourceWatch = createSourceWatch(metrics, catalogue.list());
  const typeWatch = createTypeWatch({
    check: async () => sourceWatch.note(await checkReportViews(catalogue.list(), sources)),
    period: clocks.reportTypes,
    logger,
  });
  describeTypes(metrics, { unusable: typeWatch.unusable, awaiting: async () => database.query(readAwaitingReports) });
  const renderers = createRendererPool({
    entry: rendererEntry,
    settings: {
      sources,
      parallelWorkers: config.reportParallelWorkers,
      csvFormulaGuard: config.csvFormulaGuard,
      brand: parts.brand,
      reportTypes: reportTypeChoiceOf(config),
    },
    environment: parts.rendererEnvironment,
    size: config.concurrency,
    maxHeapMebibytes: 512,
    maxRssBytes: 1024 ** 3,
    recycleRssBytes: 300 * 1024 ** 2,
    abortGraceMs: 2_000,
    // Modules that have changed since the start: the next start tells what is wrong with them, and this one must not try for ever.
    onUnusable: (error) => void lifecycle.shutDown("the report types can no longer be loaded", error),
    logger,
  });
  const spool = createSpoolFolder({
    directory: config.spoolDir ?? null,
    unique,
    maxFileBytes: config.spoolMaxBytes,
    concurrency: config.concurrency,
    logger,
  });
  const host = composeHostWatch({ metrics, spool, renderers, prove, clocks: clocks.host, logger });
  const gate = createLaneGate({
    lanes: config.lanes,
    concurrency: config.concurrency,
    // Claims no report if the store is not the one of the records, or if this host cannot make files.
    mayTake: () => identity.state() !== "mismatch" && host.mayTake(),
  });
  const runner = createJobRunner({
    lanes: config.lanes,
    schemaOf: (lane) => laneSchema(config.queueSchema, lane),
    gate,
    pool: createQueuePool({
      url: databaseUrl,
      max: config.concurrency + config.lanes.length + 1,
      onLost: (error) => logger.warn("job queue connection lost", { error }),
    }),
    concurrency: config.concurrency,
    logger,
    graceMs,
    pollGraceMs: clocks.life.graceMs,
    onUnexpectedEnd: (error) => void lifecycle.shutDown("the job runner ended", error),
  });
  const registry = createWorkerRegistry(database);
  const heartbeat = createWorkerHeartbeat({
    registry,
    identity: self,
    servedTypes: () => (host.mayTake() ? servedTypesOf(catalogue, typeWatch) : {}),
    spoolBytes: host.spoolBytes,
    poolIds: runner.poolIds,
    clocks: clocks.life,
    onLost: (error) => {
      runner.abandon();
      void lifecycle.shutDown("the worker's heartbeat is lost", error);
    },
    logger,
  });
  const sourceDatabases = createSourceDatabases(sources);
  const maintenance = composeMaintenance({
    fireSchedules: composeSchedules({
      database,
      sourceDatabases,
      catalogue,
      logger,
      metrics: createScheduleMetrics(metrics, reportMetrics.counters),
      limits: config,
    }),
    database,
    queueSchema: config.queueSchema,
    registry,
    files,
    identity,
    gate,
    isTakingJobs: () => runner.isRunning(),
    lanes: config.lanes,
    logger,
    metrics: createMaintenanceMetrics(metrics, reportMetrics.counters, {
      ...maintenanceReadings(database),
      heartbeatAgeMs: heartbeat.ageMs,
      storeState: identity.state,
    }),
    clocks,
    limits: {
      recordRetentionMs: config.recordRetentionDays * 86_400_000,
      fileDigestWithinMs: config.fileDigestDays * 86_400_000,
      fileReadBytesPerSecond: config.fileReadBytesPerSecond,
    },
    reconciler: config,
  });
  const runDeps: RunDeps = {
    catalogue,
    availability: typeWatch,
    host,
    reports,
    identity,
    removals: createFileRemovals(database),
    ...watchAttempts(host, {
      files,
      render: renderers.render,
      fetchKeptRows: createKeptRowsFetch({ files, identity }),
    }),
    removeSpooled: spool.remove,
    spoolPathOf: spool.pathOf,
    workerId,
    newId,
    clock: clock.now,
    retryPace: { delaysMs: clocks.retryDelaysMs, random: Math.random },
    limits: runLimitsOf(config, clocks.life),
  };
  const taskDeps = {
    ...(parts.wrapRunDeps?.(runDeps) ?? runDeps),
    logger,
    metrics: reportMetrics,
    traces: parts.traces,
    handBack: runner.handBack,
    gate,
  };
  const webhooks = await composeWebhooks(config, { database, metrics, logger });
  const operations = createOperationsServer({
    host: config.host,
    port: config.port,
    metrics,
    logger,
    checks: readinessChecks({
      database,
      databaseUrl,
      queueSchema: config.queueSchema,
      storeWatch,
      host,
      runner,
      heartbeat,
      heartbeatGraceMs: clocks.life.graceMs,
    }),
  });

  lifecycle.add({ name: "traces", stop: async () => parts.traces.close() });
  lifecycle.add({
    name: "operations",
    start: async () => {
      const { address, port } = await operations.start();
      logger.info("health and metrics are served", { address, port });
    },
    stop: async (signal) => operations.stop(signal),
  });
  lifecycle.add({
    name: "database",
    start: async (signal) => {
      await untilDatabaseIsReady(config, databaseServers, logger, signal);
      await refuseSharedSources(sources, logger, signal);
      await waitUntilWritable(database, {
        signal,
        onWait: (error) =>
          logger.warn("waiting until Postgres accepts writes; no reports are run until then", { error }),
      });
    },
    stop: async () => {
      await Promise.all([database, attempts, ...sourceDatabases.values()].map((each) => each.close()));
    },
  });
  lifecycle.add({ name: "clock", start: async () => clock.start(), stop: () => clock.stop() });
  lifecycle.add({ name: "changes", stop: async () => changes.close() });
  // Before the first heartbeat, which says what this worker serves.
  lifecycle.add({ name: "report types", start: async () => typeWatch.start(), stop: async () => typeWatch.stop() });
  lifecycle.add({ name: "heartbeat", start: async (signal) => heartbeat.start(signal), stop: () => heartbeat.stop() });
  // Before the renderers, which take long to start on a busy machine: whoever only starts rescues all the same.
  lifecycle.add({ name: "maintenance", start: () => maintenance.start(), stop: async () => maintenance.stop() });
  if (webhooks !== null)
    lifecycle.add({ name: "webhooks", start: async () => webhooks.start(), stop: async () => webhooks.stop() });
  lifecycle.add({ name: "spool", start: async () => spool.start(), stop: async () => spool.stop() });
  lifecycle.add({ name: "renderers", start: async () => renderers.start(), stop: () => renderers.close() });
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: async () => storeWatch.stop() });
  lifecycle.add({ name: "host", start: async (signal) => host.start(signal), stop: async () => host.stop() });
  lifecycle.add({
    name: "runner",
    start: async () => {
      await runner.start((lane) => createReportTasks({ ...taskDeps, lane }));
      logger.info("worker is ready", { workerId, concurrency: config.concurrency, revision: metrics.revision });
    },
    stop: async () => runner.stop(),
    stopTimeoutMs: graceMs + 10_000,
  });
  lifecycle.signal.addEventListener("abort", () => {
    heartbeat.announceStop().catch((error: unknown) => logger.warn("the stop could not be announced", { error }));
  });
}
