import { mkdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInReportTypes, createCatalogue, runReportTask } from "@reports/core";
import { checkMigrations, createDatabase, createReportStore, waitForMigrations } from "@reports/db";
import {
  createMetrics,
  createOperationsServer,
  fileStoreOf,
  newId,
  systemClock,
  type Lifecycle,
  type Logger,
} from "@reports/runtime";
import { createFileStore } from "@reports/storage";
import type { WorkerConfig } from "./config.ts";
import { createJobRunner } from "./job-runner.ts";
import { createRendererPool } from "./renderer/renderer-pool.ts";
import { createReportMetrics } from "./report-metrics.ts";
import { createRunReportTask } from "./tasks/run-report.ts";

const mebibyte = 1024 ** 2;
/** How long a start waits for a migration that somebody else is running. */
const migrationWaitMs = 60_000;
// The compiler rewrites imports, not paths: the sources run .ts, dist runs .js.
const rendererEntry = fileURLToPath(import.meta.url).replace(/compose\.(ts|js)$/, "renderer/main.$1");

/** What a composition may replace; production replaces nothing. */
export interface WorkerParts {
  /** The module that renderer processes run; another one knows further report types. */
  readonly rendererEntry?: string;
  readonly reportTypes?: Parameters<typeof createCatalogue>[0];
}

/** Wires the worker and registers its parts with the lifecycle, in the order in which they start. */
export function composeWorker(
  config: WorkerConfig,
  logger: Logger,
  lifecycle: Lifecycle,
  parts: WorkerParts = {},
): void {
  const databaseUrl = config.databaseUrl.reveal();
  const reportDatabaseUrl = config.reportDatabaseUrl?.reveal() ?? databaseUrl;
  const workerId = `${hostname()}:${process.pid}:${newId().slice(-12)}`;
  const spoolFolder = join(config.spoolDir, workerId.replaceAll(/[^A-Za-z0-9.-]/g, "-"));
  const graceMs = config.shutdownGraceSeconds * 1000;

  const metrics = createMetrics();
  const database = createDatabase({ url: databaseUrl, max: config.concurrency + 2 });
  const reports = createReportStore(database);
  const files = createFileStore(fileStoreOf(config));
  const renderers = createRendererPool({
    entry: parts.rendererEntry ?? rendererEntry,
    settings: { databaseUrl: reportDatabaseUrl, csvFormulaGuard: config.csvFormulaGuard },
    size: config.concurrency,
    maxHeapMebibytes: 512,
    maxRssBytes: 1024 * mebibyte,
    recycleRssBytes: 300 * mebibyte,
    abortGraceMs: 2_000,
    logger,
  });
  const runner = createJobRunner({
    databaseUrl,
    concurrency: config.concurrency,
    logger,
    graceMs,
    onUnexpectedEnd: (error) => void lifecycle.shutDown("the job runner ended", error),
  });
  const task = createRunReportTask({
    catalogue: createCatalogue(parts.reportTypes ?? builtInReportTypes),
    reports,
    files,
    render: renderers.render,
    spoolPathOf: (reportId, attempt) => join(spoolFolder, `${reportId}-${attempt}`),
    workerId,
    newId,
    clock: systemClock,
    random: Math.random,
    limits: {
      runTimeLimitMs: config.runTimeLimitMinutes * 60_000,
      maxSpoolBytes: config.spoolMaxBytes,
      retentionMs: config.retentionDays * 86_400_000,
      leaseMs: 25_000,
      heartbeatMs: 1_000,
      heartbeatGraceMs: 15_000,
    },
    logger,
    metrics: createReportMetrics(metrics),
    handBack: runner.handBack,
  });
  const operations = createOperationsServer({
    host: config.host,
    port: config.port,
    metrics,
    logger,
    checks: {
      database: async () => database.check(),
      migrations: async () => {
        const { current } = await checkMigrations({ databaseUrl });
        if (!current) throw new Error("The database's schema is older than this program.");
      },
      storage: async (signal) => files.check({ signal }),
      runner: async () => {
        if (!runner.isRunning()) throw new Error("No jobs are being taken.");
      },
    },
  });

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
    start: async (signal) => waitForMigrations({ databaseUrl, timeoutMs: migrationWaitMs, signal }),
    stop: async () => database.close(),
  });
  lifecycle.add({
    name: "spool",
    start: async () => mkdir(spoolFolder, { recursive: true }),
    stop: async () => rm(spoolFolder, { recursive: true, force: true }),
  });
  lifecycle.add({ name: "renderers", start: async () => renderers.start(), stop: () => renderers.close() });
  lifecycle.add({
    name: "runner",
    start: async () => {
      await runner.start({ [runReportTask]: task });
      logger.info("worker is ready", { workerId, concurrency: config.concurrency });
    },
    stop: async () => runner.stop(),
    stopTimeoutMs: graceMs + 10_000,
  });
}
