import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { createDatabaseRoles, databaseRoles, migrateDatabase } from "@reports/db";
import { createFaultProxy, isFullTestRun, waitFor, type FaultProxy, type StandProcess } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { readReadiness, setUpApiProcesses, waitForApiOrigin, waitForReadiness } from "./test/api-process.ts";
import { builtInReportAuthorities, createTestToken } from "./test/api-under-test.ts";

vi.setConfig({ testTimeout: 120_000 });

/** The tests of this file run one after the other with one API process, because the start of a process takes longer than most of them. */
let apis: Awaited<ReturnType<typeof setUpApiProcesses>>;
let api: StandProcess;
let origin: string;
let owner: Sql;
/** The API's connection to the database. */
let proxy: FaultProxy;
const user = `test_${randomBytes(6).toString("hex")}`;

beforeAll(async () => {
  apis = await setUpApiProcesses();
  await createDatabaseRoles({ databaseUrl: apis.databaseUrl });
  owner = postgres(apis.databaseUrl, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.api}`);
  await owner`revoke insert on reports from reports_api`;
  await owner.unsafe(`alter database "${apis.databaseName}" set default_transaction_read_only = on`);
  const url = Object.assign(new URL(apis.databaseUrl), { username: user, password: "secret" });
  proxy = await createFaultProxy({ upstream: { host: url.hostname, port: Number(url.port) } });
  url.host = `${proxy.host}:${proxy.port}`;
  // This list timeout is longer than all other waits of the tests, so that no list ends early.
  const clocks = isFullTestRun ? {} : { storeMs: 1_000 };
  api = apis.start({ DATABASE_URL: url.href, LIST_TIMEOUT_SECONDS: "60" }, { clocks });
  origin = await waitForApiOrigin(api);
});
// If `beforeAll` failed, some of these variables have no value.
afterAll(async () => {
  try {
    await api?.kill();
    await proxy?.[Symbol.asyncDispose]();
    await owner?.unsafe(`drop role if exists ${user}`);
  } finally {
    await owner?.end();
    await apis?.[Symbol.asyncDispose]();
  }
});

async function repairDatabase(): Promise<void> {
  await owner.unsafe(`alter database "${apis.databaseName}" reset default_transaction_read_only`);
  await owner`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await waitForReadiness(origin, "503 rights: failing");
  await api.waitForLog("The user of DATABASE_URL lacks INSERT on reports.");
  await owner`grant insert on reports to reports_api`;
  await waitForReadiness(origin, "200");
}

let repaired: Promise<void> | undefined;
/** Repairs the database only once, because that ends all sessions. Each test that needs a ready API calls this, so that it also passes alone. */
const makeReady = async () => (repaired ??= repairDatabase());

test("an API becomes ready when Postgres accepts writes and a missing privilege is granted", async () => {
  expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  // The first response already names the database. On a busy machine, its check can time out before it finds the cause.
  expect(await readReadiness(origin)).toMatch(/^503 database: (?:failing|timeout)/);
  await waitFor(async () => (await readReadiness(origin)).startsWith("503 database: failing"), {
    what: "the read-only database to be noticed",
  });
  await makeReady();
});

test("the API process serves requests and metrics", async () => {
  expect((await fetch(`${origin}/v1/reports`)).status).toBe(401);
  // /metrics omits these metrics if their query takes longer than two seconds. The test then requests /metrics again.
  const metricsFromPostgres = ["jobs{", "workers{", "oldest_wait_seconds{"].map((name) => `\nreport_queue_${name}`);
  metricsFromPostgres.push("\nreport_types_unserved{", "\nreports_postgres_oldest_snapshot_seconds ");
  const metrics = await waitFor(
    async () => {
      const page = await fetch(`${origin}/metrics`).then(async (response) => response.text());
      return metricsFromPostgres.every((line) => page.includes(line)) && page;
    },
    { what: "a page with all metrics" },
  );
  for (const line of [
    'reports_http_requests_total{route="/v1/reports",method="GET",status="401"} 1',
    "reports_open_downloads 0",
    "report_watches 0",
    'report_queue_jobs{lane="quick",state="waiting"} 0',
    'report_queue_jobs{lane="bulk",state="running"} 0',
    'report_queue_workers{lane="quick"} 0',
    'report_types_unserved{type="PROXY"} 1',
    'report_queue_oldest_wait_seconds{lane="quick"} 0',
  ]) {
    expect(metrics.split("\n")).toContain(line);
  }
  expect(metrics).toMatch(/^reports_postgres_oldest_snapshot_seconds \d/m);
  expect(metrics).toMatch(/^reports_http_request_duration_seconds_count\{route="\/v1\/reports",method="GET"\} 1$/m);
});

test("the API serves starts and probes while all list queries wait for Postgres", async () => {
  await makeReady();
  const over = new AbortController();
  const locking = postgres(apis.databaseUrl, { max: 1 });
  const lock = await locking.reserve();
  try {
    const bearerOf = async (subject: string) => ({
      Authorization: `Bearer ${await createTestToken([...builtInReportAuthorities, "REGISTRY_READ"], subject)}`,
    });
    const headers = await bearerOf("alice");
    expect((await fetch(`${origin}/v1/domains`, { headers })).status).toBe(200);
    await lock`begin`;
    await lock`lock table domains in access exclusive mode`;
    // Each caller runs one of its three lists at a time, so six callers use all six list connections.
    for (const reader of await Promise.all(["ada", "bea", "cem", "dan", "eva", "fay"].map(bearerOf))) {
      for (let list = 0; list < 3; list++)
        void fetch(`${origin}/v1/domains`, { headers: reader, signal: over.signal }).catch(() => undefined);
    }
    await waitFor(
      async () => {
        const [row] = await owner<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row!.waiting >= 6;
      },
      { what: "lists to wait" },
    );
    expect(
      (await fetch(`${origin}/v1/report?reportType=PROXY`, { headers, signal: AbortSignal.timeout(30_000) })).status,
    ).toBe(202);
    await waitForReadiness(origin, "200");
  } finally {
    over.abort();
    await lock`rollback`;
    lock.release();
    await locking.end();
  }
});

test("/health/ready fails while the database is down, but not without the file store", async () => {
  await makeReady();
  onTestFinished(async () => proxy.set({ kind: "none" }));
  const health = async () => fetch(`${origin}/health/ready`);
  const storeState = async () => ((await (await health()).json()) as { store?: string }).store;
  await proxy.set({ kind: "refuse" });
  await waitFor(async () => (await readReadiness(origin)).includes("database: failing"), {
    what: "readiness to fail",
  });
  expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  await proxy.set({ kind: "none" });
  await waitForReadiness(origin, "200");
  // No worker runs, so the file store is not recorded as that of the database. The first check after the outage therefore finds a mismatch.
  await waitFor(async () => (await storeState()) === "mismatch", { what: "the check of the store" });
  await apis.adopt();
  await waitFor(async () => (await storeState()) === "ok", { what: "the adopted store" });
  await rm(apis.storageDir, { recursive: true, force: true });
  await writeFile(apis.storageDir, "in the way");
  await waitFor(async () => (await storeState()) === "mismatch", {
    what: "the loss of the store",
  });
  expect((await health()).status).toBe(200);
  const metrics = await fetch(`${origin}/metrics`).then(async (response) => response.text());
  expect(metrics.split("\n")).toContain('reports_store_state{state="mismatch"} 1');
  expect(metrics.split("\n")).toContain('reports_store_state{state="ok"} 0');
  await api.waitForLog("the file store is not the one of the database");
});

test("an API whose queue was moved is not ready, logs both schemas and rejects starts", async () => {
  await makeReady();
  const begin = async () =>
    fetch(`${origin}/v1/reports`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ reportType: "PROXY", format: "csv" }),
    });
  expect((await begin()).status).toBe(202);
  await migrateDatabase({ databaseUrl: apis.databaseUrl, queueSchema: "acme", moveQueue: true });
  expect((await begin()).status).toBe(503);
  await waitFor(
    async () => {
      const response = await fetch(`${origin}/health/ready`);
      return response.status === 503 && (await response.text()).includes("queue: failing");
    },
    { what: "the process not to be ready", timeoutMs: 60_000 },
  );
  await api.waitForLog("The database's queue is in acme, but QUEUE_SCHEMA of this process is report_queue.");
});

test("the API process exits with code 0 on SIGTERM", async () => {
  expect({ code: await api.stop(), log: api.log() }).toMatchObject({ code: 0 });
});
