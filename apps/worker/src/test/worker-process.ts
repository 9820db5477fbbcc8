import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  builtInReportTypes,
  createCatalogue,
  renditionOptionsFromBody,
  startRendition,
  startInputFromBody,
  startReport,
  type Report,
  unguardedStarts,
} from "@reports/core/report";
import type { FileStore } from "@reports/core/base";
import { copyIntoInventory, createDatabase, createReportStore, migrateDatabase } from "@reports/db";
import { newId } from "@reports/runtime";
import { createFileSystemStore } from "@reports/storage";
import {
  listChildProcesses,
  createTestDatabases,
  generateDemoInventory,
  readSourceStartVariables,
  startProcess,
  waitFor,
  type StandProcess,
} from "@reports/testing";
import postgres from "postgres";
import { createFasterTimings, productionTimings, type WorkerTimings } from "../clocks.ts";

const mainPath = fileURLToPath(new URL("../main.ts", import.meta.url));
const mainWithClocks = fileURLToPath(new URL("worker-main.fixture.ts", import.meta.url));

/** Comparisons of files keep production's periods, because most tests do not wait for one, and the reconciler starts a process. */
export const fastTimings: WorkerTimings = {
  ...createFasterTimings(5),
  reconciliation: productionTimings.reconciliation,
  fileVerification: productionTimings.fileVerification,
};

/** Short intervals, but the production limits of missing heartbeats. On a slow machine, a worker then neither exits nor counts as dead. */
export const fastTimingsWithLongGrace: WorkerTimings = {
  ...fastTimings,
  life: {
    ...fastTimings.life,
    graceMs: productionTimings.life.graceMs,
    deadAfterMs: productionTimings.life.deadAfterMs,
  },
};

const asOf = new Date("2026-06-01T00:00:00Z");
// Workers run and rescue reports of all owners. So this database gets no records of other owners, which other test databases have.
const databases = createTestDatabases({ template: "worker_process", migrate: fillDatabase, otherOwners: false });

async function fillDatabase(databaseUrl: string): Promise<void> {
  await migrateDatabase({ databaseUrl });
  await copyIntoInventory({ databaseUrl, ...generateDemoInventory({ proxies: 12, domains: 200, asOf }) });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  // The view repeats each domain as often as `copies` says, so that a test can make reports over it sort for a long time.
  await sql`create table copies (n int)`;
  await sql`insert into copies values (1)`;
  await sql`alter table domains rename to stored_domains`;
  await sql`
    create view domains as
    select d.* from stored_domains d cross join lateral generate_series(1, (select n from copies)) c`;
  await sql.end();
}

/** Fills a database on a server that the test may crash. The database is removed with its server. */
async function prepareDatabaseOn(url: string) {
  await fillDatabase(url);
  return { url, [Symbol.asyncDispose]: async () => undefined };
}

export interface WorkerProcess extends Pick<
  StandProcess,
  "ended" | "log" | "waitForLog" | "signal" | "stdout" | "stop"
> {
  readonly pid: number;
  isRunning(): boolean;
  origin(): string;
  children(): readonly number[];
  renderers(): readonly number[];
}

const readCommandLine = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, "utf8");

/** With this many copies of each row, the sort of a report is still running when a test stops it. */
export const rowCopiesForEndlessSort = 200_000;

export type WorkerProcesses = Awaited<ReturnType<typeof startWorkerProcesses>>;

export async function startWorkerProcesses(
  options: {
    readonly serverUrl?: string;
    /** For `production`, the workers run main.ts, which has no other clocks. */
    readonly clocks?: WorkerTimings | "production";
  } = {},
) {
  const clone =
    options.serverUrl === undefined ? await databases.cloneDatabase() : await prepareDatabaseOn(options.serverUrl);
  const folder = await mkdtemp(join(tmpdir(), "worker-process-"));
  const database = createDatabase({ url: clone.url, max: 3 });
  const sql = postgres(clone.url, { max: 2, onnotice: () => undefined });
  const reports = createReportStore(database);
  const files: FileStore = createFileSystemStore({ directory: join(folder, "files") });
  const catalogue = createCatalogue(builtInReportTypes);
  const workers: StandProcess[] = [];
  const { clocks = fastTimingsWithLongGrace } = options;
  const entry = clocks === "production" ? [mainPath] : [mainWithClocks, JSON.stringify(clocks)];

  return {
    url: clone.url,
    storageDir: join(folder, "files"),
    sql,
    reports,
    files,
    async worker(
      environment: Readonly<Record<string, string>> = {},
      until = "worker is ready",
    ): Promise<WorkerProcess> {
      const started = startProcess({
        name: `worker-${workers.length + 1}`,
        args: ["--conditions=@reports/source", ...entry],
        environment: {
          ...readSourceStartVariables(),
          // Passes these variables to renderers, too.
          REPORT_TYPES_ENV_PREFIX: "NODE_",
          DATABASE_URL: clone.url,
          STORAGE_DIR: join(folder, "files"),
          SPOOL_DIR: join(folder, "spool"),
          WORKER_PORT: "0",
          WORKER_CONCURRENCY: "1",
          SHUTDOWN_GRACE_SECONDS: "0",
          ...environment,
        },
      });
      workers.push(started);
      const pid = started.pid!;
      await started.waitForLog(until, 120_000);
      const { ended, log, waitForLog, signal, stdout, stop } = started;
      return {
        pid,
        ended,
        log,
        waitForLog,
        signal,
        stdout,
        stop,
        isRunning: () => started.pid !== null,
        origin: () => `http://127.0.0.1:${/"port":(\d+)/.exec(log())![1]}`,
        children: () => listChildProcesses(pid),
        renderers: () => listChildProcesses(pid).filter((child) => readCommandLine(child).includes("renderer")),
      };
    },
    async claimsOf({ pid }: WorkerProcess): Promise<number> {
      const claims = await sql`
        select from report_events where to_status = 'RUNNING' and actor like ${`worker:%:${pid}:%`}`;
      return claims.length;
    },
    async start(
      format = "csv",
      definition = catalogue.find("PROXY_DOMAIN")!,
      searchParam = {},
      options = {},
    ): Promise<string> {
      const body = { reportType: definition.type, format, searchParam, ...options };
      const input = startInputFromBody(definition, body, new Date());
      const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
      return (await startReport({ reports, newId, ...unguardedStarts }, context, input)).report.id;
    },
    async addFile(report: Report, body: Readonly<Record<string, unknown>>): Promise<string> {
      const definition = catalogue.find(report.reportType)!;
      const asked = { definition, report, options: renditionOptionsFromBody(definition, report, body) };
      const context = { principalId: "basic:alice", requiredAuthority: null, traceparent: null };
      return (await startRendition({ reports, newId, ...unguardedStarts }, context, asked)).report.id;
    },
    async enlarge(copies: number): Promise<void> {
      await sql`update copies set n = ${copies}`;
    },
    async find(id: string): Promise<Report> {
      return (await reports.find(id))!;
    },
    /** Waits for a status. The limit is long, because a requeued report can wait for 30 s several times. */
    until: (id: string, status: Report["status"], timeoutMs = 110_000) =>
      waitFor(async () => (await reports.find(id))?.status === status, { what: `report to be ${status}`, timeoutMs }),
    /**
     * Waits for the success of reports that some workers requeue, because only others can run them. Makes their jobs due each time, because the
     * delays of requeues can add up to minutes.
     */
    async untilSucceeded(ids: readonly string[], timeoutMs = 240_000): Promise<void> {
      const areDone = async (): Promise<boolean> => {
        await sql`update report_queue_quick._private_jobs set run_at = now() where run_at > now() and locked_at is null`;
        return (await sql`select from reports where id = any (${ids}::uuid[]) and status <> 'SUCCEEDED'`).length === 0;
      };
      await waitFor(areDone, { what: `${ids.length} reports to be SUCCEEDED`, timeoutMs });
    },
    queries: async () =>
      sql`select pid, state, wait_event from pg_stat_activity where datname = current_database() and query ~ 'copies|domains' and query ilike 'copy%' and state = 'active'`,
    async leftovers(): Promise<string[]> {
      const stored: string[] = [];
      for await (const file of files.list("reports/")) stored.push(file.key);
      const spool = await readdir(join(folder, "spool"), { recursive: true }).catch(() => []);
      return [...stored, ...spool];
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(workers.map(async (worker) => worker.kill()));
      await sql.end();
      await database.close();
      await clone[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
