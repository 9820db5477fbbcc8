import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtInReportTypes,
  createCatalogue,
  renditionOptionsFromBody,
  reportRetryDelaysMs,
  runReport,
  startRendition,
  startInputFromBody,
  startReport,
  type Render,
  type Report,
  type ReportTypeDefinition,
  type RunDeps,
  type RunLimits,
  unguardedStarts,
} from "@reports/core/report";
import type { FileStore } from "@reports/core/base";
import {
  copyIntoInventory,
  createDatabase,
  createFileRemovals,
  createRowSourceReader,
  createReportStore,
  createStoreIdRepository,
  createRetentionStore,
  migrateDatabase,
} from "@reports/db";
import { newId, systemClock } from "@reports/runtime";
import { createFileSystemStore } from "@reports/storage";
import { createTestDatabases, generateDemoInventory } from "@reports/testing";
import postgres from "postgres";
import { defaultBrand, type Brand } from "../brand/brand.ts";
import { createRenderFunction } from "../renderer/render-report.ts";
import { removeSpoolFiles } from "../spool/spool-folder.ts";
import { createRowSnapshotFetcher } from "../store/fetch-row-snapshot.ts";

/** Long limits, so that a busy machine fails no call. */
const [connectTimeoutMs, deadlineMs] = [60_000, 60_000];

const asOf = new Date("2026-06-01T00:00:00Z");

const migrate = async (databaseUrl: string) => migrateDatabase({ databaseUrl });
const emptyDatabases = createTestDatabases({ migrate });
const databasesWithoutOtherOwners = createTestDatabases({ migrate, otherOwners: false });
const databasesWithDemoData = createTestDatabases({
  template: "demo",
  migrate: async (databaseUrl) => {
    await migrateDatabase({ databaseUrl });
    await copyIntoInventory({ databaseUrl, ...generateDemoInventory({ proxies: 12, domains: 200, asOf }) });
  },
});

export interface WorkerUnderTestOptions {
  readonly demoData?: boolean;
  readonly otherOwners?: boolean;
  readonly reportTypes?: readonly ReportTypeDefinition[];
  /** Report types that the API can start. By default, those of the worker. */
  readonly startableTypes?: readonly ReportTypeDefinition[];
  readonly limits?: Partial<RunLimits>;
  readonly brand?: Brand;
  readonly wrapRender?: (render: Render) => Render;
  readonly wrapDeps?: (deps: RunDeps) => RunDeps;
}

export async function startWorkerUnderTest(options: WorkerUnderTestOptions = {}) {
  const withoutData = options.otherOwners === false ? databasesWithoutOtherOwners : emptyDatabases;
  const testDatabase = await (options.demoData === true ? databasesWithDemoData : withoutData).cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "worker-under-test-"));
  const spool = join(folder, "spool");
  await mkdir(spool);
  const database = createDatabase({ url: testDatabase.url, connectTimeoutMs, deadlineMs });
  const sql = postgres(testDatabase.url, { max: 1, onnotice: () => undefined });
  const reports = createReportStore(database);
  const files: FileStore = createFileSystemStore({ directory: join(folder, "files") });
  const storeId = newId();
  await createStoreIdRepository(database).propose(storeId);
  const reportTypes = options.reportTypes ?? builtInReportTypes;
  const catalogue = createCatalogue(reportTypes);
  const startable = createCatalogue(options.startableTypes ?? reportTypes);
  const render = createRenderFunction({
    catalogue,
    rowSource: createRowSourceReader({ url: testDatabase.url, connectTimeoutMs }),
    csvFormulaGuard: true,
    brand: options.brand ?? defaultBrand,
  });
  const plainDeps: RunDeps = {
    catalogue,
    availability: { refusalOf: () => null, isUnreachable: () => false },
    host: { check: async () => undefined, refusal: () => null, spoolBytes: () => 1024 ** 3 },
    reports,
    files,
    identity: { assert: async () => undefined, readId: async () => storeId },
    removals: createFileRemovals(database),
    render: options.wrapRender?.(render) ?? render,
    fetchKeptRows: createRowSnapshotFetcher({ files, identity: { assert: async () => undefined } }),
    removeSpooled: removeSpoolFiles,
    spoolPathOf: (reportId, attempt) => join(spool, `${reportId}-${attempt}`),
    workerId: "worker-under-test",
    newId,
    clock: systemClock,
    retryPace: { delaysMs: reportRetryDelaysMs, random: Math.random },
    limits: {
      runTimeLimitMs: 60_000,
      maxSpoolBytes: 1024 ** 3,
      retentionMs: 86_400_000,
      leaseMs: 25_000,
      heartbeatMs: 20,
      heartbeatGraceMs: 15_000,
      ...options.limits,
    },
  };
  const deps = options.wrapDeps?.(plainDeps) ?? plainDeps;
  return {
    databaseUrl: testDatabase.url,
    filesDirectory: join(folder, "files"),
    sql,
    reports,
    files,
    deps,
    retention: createRetentionStore(database),
    overwrite: async (key: string, text: string) => writeFile(join(folder, "files", key), text),
    async start(
      body: Readonly<Record<string, unknown>> & { readonly reportType: string },
      by: { readonly principalId: string; readonly principalName?: string; readonly requiredAuthority?: string } = {
        principalId: "basic:alice",
      },
    ): Promise<Report> {
      const input = startInputFromBody(startable.find(body.reportType)!, body, new Date());
      const context = { requiredAuthority: null, ...by, coalesce: false, traceparent: null };
      return (await startReport({ reports, newId, ...unguardedStarts }, context, input)).report;
    },
    async addFile(report: Report, body: Readonly<Record<string, unknown>>): Promise<Report> {
      const definition = startable.find(report.reportType)!;
      const options = renditionOptionsFromBody(definition, report, body);
      const context = { principalId: "basic:bob", requiredAuthority: null, traceparent: null };
      return (await startRendition({ reports, newId, ...unguardedStarts }, context, { definition, report, options }))
        .report;
    },
    run: async (id: string, signal: AbortSignal = new AbortController().signal) => runReport(deps, id, signal),
    async find(id: string): Promise<Report> {
      return (await reports.find(id))!;
    },
    async readFile(report: Report): Promise<Buffer> {
      const { body } = await files.open(report.file!.storageKey);
      return Buffer.concat(await body.toArray());
    },
    async waitingForLocks(): Promise<number> {
      const watcher = postgres(testDatabase.url, { max: 1 });
      const rows = await watcher`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await watcher.end();
      return rows.length;
    },
    async leftovers(): Promise<string[]> {
      const stored: string[] = [];
      for await (const file of files.list("reports/")) stored.push(file.key);
      return [...stored, ...(await readdir(spool))];
    },
    async [Symbol.asyncDispose]() {
      await sql.end();
      await database.close();
      await testDatabase[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

export type WorkerUnderTest = Awaited<ReturnType<typeof startWorkerUnderTest>>;
