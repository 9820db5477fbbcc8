import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRoles, databaseRoles } from "@reports/db";
import { createFaultProxy, hasPgbouncer, startPgbouncer, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { startWorkerProcesses, type WorkerProcess } from "./test/worker-process.ts";

type Processes = Awaited<ReturnType<typeof startWorkerProcesses>>;

/** Copies of the register that keep a report sorting until somebody stops it. */
const endless = 200_000;

test("SIGTERM hands a running report back at once and unspent, ends its query, and leaves no lock, no heartbeat, no spool file", async () => {
  await using processes = await startWorkerProcesses();
  const worker = await processes.worker();
  await processes.enlarge(endless);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  expect(await processes.find(id)).toMatchObject({ status: "QUEUED", attempt: 1, failures: 0 });
  expect(await processes.sql`select locked_by, run_at <= now() as due from report_queue.jobs`).toEqual([
    { locked_by: null, due: true },
  ]);
  expect(await processes.sql`select from worker_heartbeats`).toHaveLength(0);
  expect(await processes.leftovers()).toEqual([]);
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the query to end" });
}, 180_000);

test("a cancel of a report that sorts ends its query, and no file remains", async () => {
  await using processes = await startWorkerProcesses();
  await processes.worker();
  await processes.enlarge(endless);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  await processes.reports.cancel(id, "basic:alice");
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the query to end" });
  await waitFor(async () => (await processes.sql`select from report_queue.jobs`).length === 0, {
    what: "the job to be gone",
  });
  expect(await processes.find(id)).toMatchObject({ status: "CANCELLED", file: null, attempt: 1 });
  expect((await processes.leftovers()).filter((path) => path.includes(id))).toEqual([]);
  // The worker goes on.
  await processes.enlarge(1);
  const next = await processes.start();
  await processes.until(next, "SUCCEEDED");
}, 180_000);

// What follows waits for times that pass, most of all: each test has a database and processes of its own.

test.concurrent("a killed worker's report is taken over by another worker and ends, and no lock or job of the dead one stays", async () => {
  await using processes = await startWorkerProcesses();
  const first = await processes.worker();
  await processes.enlarge(endless);
  const id = await processes.start();
  await waitFor(async () => (await processes.queries()).length === 1, { what: "the report's query" });
  first.child.kill("SIGKILL");
  await first.ended;
  await processes.enlarge(1);
  await waitFor(async () => (await processes.queries()).length === 0, { what: "the dead worker's query to end" });
  const second = await processes.worker();
  await outliveLease(processes, first);
  await processes.until(id, "SUCCEEDED", 60_000);
  const report = await processes.find(id);
  expect(report).toMatchObject({ attempt: 2, failures: 0 });
  const events = await processes.reports.listEvents(id);
  expect(events.map(({ to, attempt }) => `${to} ${attempt}`)).toEqual([
    "QUEUED 0",
    "RUNNING 1",
    "QUEUED 1",
    "RUNNING 2",
    "SUCCEEDED 2",
  ]);
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  expect(await processes.leftovers()).toContain(report.file!.storageKey);
  // The dead worker's own scratch folder is left until its mark has stood still for minutes (spool-folder.test.ts).
  const scratch = (await processes.leftovers()).filter((path) => path.includes(id) && !path.startsWith("reports/"));
  expect(scratch.filter((path) => !path.includes(`${id}-1`))).toEqual([]);
  expect(await processes.sql`select from report_queue.jobs`).toHaveLength(0);
}, 180_000);

test.concurrent(
  "a further file whose worker is killed is made by another one, of the rows that were kept, and once",
  { skip: process.platform !== "linux", timeout: 360_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    const first = await processes.worker();
    const id = await processes.start("csv", undefined, {}, { keepRows: true });
    await processes.until(id, "SUCCEEDED", 120_000);
    const report = await processes.find(id);
    // Renderers that stand still: the file is being made for as long as it takes to kill their worker.
    for (const pid of renderersOf(first)) process.kill(pid, "SIGSTOP");
    const fileId = await processes.addFile(report, { format: "csv" });
    const hasBegun = async () => (await processes.leftovers()).some((path) => path.includes(`${fileId}-1-source`));
    await waitFor(hasBegun, { what: "the kept rows to be fetched", timeoutMs: 120_000 });
    first.child.kill("SIGKILL");
    await first.ended;
    await processes.sql`delete from stored_domains`;
    await processes.worker();
    await outliveLease(processes, first);
    const find = async () => (await processes.reports.findFile(id, fileId))!;
    await waitFor(async () => (await find()).status === "SUCCEEDED", { what: "the further file", timeoutMs: 120_000 });
    const made = await find();
    expect(made).toMatchObject({ attempt: 2, failures: 0, rowCount: 200, file: { sha256: report.file!.sha256 } });
    const { storageKey } = (await processes.reports.findKeptRows(id))!;
    const stored = (await processes.leftovers()).filter((path) => path.startsWith("reports/"));
    expect(new Set(stored)).toEqual(new Set([report.file!.storageKey, storageKey, made.file!.storageKey]));
    expect(stored).toHaveLength(3);
  },
);

test.concurrent("a worker whose Postgres does not answer for 15 s ends itself with exit code 1", async () => {
  await using processes = await startWorkerProcesses();
  const { hostname, port } = new URL(processes.url);
  await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const url = new URL(processes.url);
  url.host = `${proxy.host}:${proxy.port}`;
  const worker = await processes.worker({ DATABASE_URL: url.href });
  await proxy.set({ kind: "black-hole" });
  expect(await worker.ended).toBe(1);
  // Its heartbeat and its polls for jobs are given as long: either may notice first.
  expect(worker.log()).toMatch(/the worker's heartbeat is lost|the job runner ended/);
}, 180_000);

test.concurrent("a worker whose heartbeat alone is not recorded for 15 s ends itself with exit code 1", async () => {
  await using processes = await startWorkerProcesses();
  const { sql } = processes;
  const worker = await processes.worker();
  await sql.begin(async (held) => {
    await held`lock table worker_heartbeats in share mode`;
    expect(await worker.ended).toBe(1);
  });
  expect(worker.log()).toContain("the worker's heartbeat is lost");
  expect(worker.log()).not.toContain("the job runner ended");
}, 180_000);

test.concurrent("a worker on a Postgres that accepts no writes waits for it, lives, is not ready, and says once what it waits for", async () => {
  await using processes = await startWorkerProcesses();
  const { sql } = processes;
  await sql`do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`;
  const waits = "waiting until Postgres accepts writes";
  const worker = await processes.worker({}, waits);
  const base = `http://127.0.0.1:${/"port":(\d+)/.exec(worker.log())?.[1]}`;
  expect((await fetch(`${base}/health/live`)).status).toBe(200);
  expect((await fetch(`${base}/health/ready`)).status).toBe(503);
  await sql`do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'reports'`;
  const ready = () => fetch(`${base}/health/ready`).then(({ status }) => status === 200);
  await waitFor(ready, { what: "the same worker to be ready", timeoutMs: 60_000 });
  expect(worker.log().split(waits)).toHaveLength(2);
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
}, 180_000);

test.concurrent("a worker whose user lacks a right is not ready, and names it in its log", async () => {
  await using processes = await startWorkerProcesses();
  const { sql: owner } = processes;
  // The command of roles is for the register's tables as they are.
  await owner`drop view domains`;
  await owner`alter table stored_domains rename to domains`;
  await createRoles({ databaseUrl: processes.url });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.worker}`);
  await owner`revoke insert on damaged_files from reports_worker`;
  const url = Object.assign(new URL(processes.url), { username: user, password: "secret" });
  const worker = await processes.worker({ DATABASE_URL: url.href });
  const ready = `http://127.0.0.1:${/"port":(\d+)/.exec(worker.log())?.[1]}/health/ready`;
  const refused = await fetch(ready);
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({
    checks: { rights: { status: "failing" }, heartbeat: { status: "ok" } },
  });
  await worker.says("The user of DATABASE_URL lacks INSERT on damaged_files.");
  await owner`grant insert on damaged_files to reports_worker`;
  await waitFor(async () => (await fetch(ready)).status === 200, { what: "readiness", timeoutMs: 60_000 });
  worker.child.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
  await owner.unsafe(`drop role ${user}`);
}, 180_000);

test.concurrent(
  "a worker behind a pooler in transaction mode ends at once and says why",
  { skip: !hasPgbouncer(), timeout: 180_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    await using pooler = await startPgbouncer({ databaseUrl: processes.url, settings: { pool_mode: "transaction" } });
    const start = processes.worker({ DATABASE_URL: pooler.url });
    await expect(start).rejects.toThrow(/DATABASE_URL: leads to a connection pooler in transaction/);
  },
);

test.concurrent(
  "no process that a worker starts is given its secrets",
  { skip: process.platform !== "linux", timeout: 180_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    const canary = "canary-4c1f6a";
    const { child } = await processes.worker({ AUTH_JWT_SECRET: canary, MY_OWN_PASSWORD: canary, TZ: "Asia/Tokyo" });
    const started = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
    // Two renderers, and the shell that ends them when their worker is gone.
    expect(started).toHaveLength(3);
    const environments = started.map((pid) => readFileSync(`/proc/${pid}/environ`, "utf8"));
    for (const environment of environments) {
      expect(environment).not.toMatch(new RegExp(`${canary}|DATABASE_URL|STORAGE_DIR`));
    }
    expect(environments.filter((environment) => environment.includes("TZ=Asia/Tokyo"))).toHaveLength(2);
  },
);

test.concurrent("a worker that serves one lane takes nothing of another", async () => {
  await using processes = await startWorkerProcesses();
  await processes.worker({ WORKER_LANES: "bulk" });
  const quick = await processes.start();
  const bulk = await processes.start();
  await processes.sql`update reports set lane = 'bulk' where id = ${bulk}`;
  await processes.sql`select enqueue_reports(array[${bulk}]::uuid[], 0, 0)`;
  await processes.until(bulk, "SUCCEEDED");
  expect((await processes.find(quick)).status).toBe("QUEUED");
}, 180_000);

/** As though 25 s had gone by since the worker was killed. */
async function outliveLease({ sql }: Processes, { child }: WorkerProcess): Promise<void> {
  await sql`update reports set lease_expires_at = now() - interval '1 s' where status = 'RUNNING'`;
  await sql`update worker_heartbeats set beat_at = now() - interval '30 s' where pid = ${child.pid!}`;
  await sql`update report_queue_quick._private_jobs set locked_at = now() - interval '30 s'`;
}

/** The processes in which a worker renders; the shell that ends them is none. */
function renderersOf({ child }: WorkerProcess): number[] {
  const started = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ").map(Number);
  return started.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("renderer"));
}
