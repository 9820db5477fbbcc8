import { randomBytes } from "node:crypto";
import { createDatabaseRoles, databaseRoles, migrateDatabase } from "@reports/db";
import { waitFor } from "@reports/testing";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { setUpApiProcesses, waitForApiOrigin, waitForReadiness } from "./test/api-process.ts";
import { builtInReportAuthorities, createTestToken } from "./test/api-under-test.ts";

vi.setConfig({ testTimeout: 120_000 });

test.concurrent("the API process serves requests and metrics, and exits with code 0 on SIGTERM", async () => {
  await using apis = await setUpApiProcesses();
  const api = apis.start();
  const origin = await waitForApiOrigin(api);
  await waitForReadiness(origin, "200");
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
  expect({ code: await api.stop(), log: api.log() }).toMatchObject({ code: 0 });
});

test.concurrent("an API that lacks a database privilege is not ready until it is granted", async () => {
  await using apis = await setUpApiProcesses();
  await createDatabaseRoles({ databaseUrl: apis.databaseUrl });
  const owner = postgres(apis.databaseUrl, { max: 1, onnotice: () => undefined });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.api}`);
  await owner`revoke insert on reports from reports_api`;
  const url = Object.assign(new URL(apis.databaseUrl), { username: user, password: "secret" }).href;
  const api = apis.start({ DATABASE_URL: url });
  try {
    const origin = await waitForApiOrigin(api);
    await waitForReadiness(origin, "503 rights: failing");
    await api.waitForLog("The user of DATABASE_URL lacks INSERT on reports.");
    await owner`grant insert on reports to reports_api`;
    await waitForReadiness(origin, "200");
    expect({ code: await api.stop(), log: api.log() }).toMatchObject({ code: 0 });
  } finally {
    await owner.unsafe(`drop role ${user}`);
    await owner.end();
  }
});

test.concurrent("an API whose queue was moved is not ready, logs both schemas and rejects starts", async () => {
  await using apis = await setUpApiProcesses();
  const api = apis.start();
  const origin = await waitForApiOrigin(api);
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

test.concurrent("an API on a read-only Postgres becomes ready when Postgres accepts writes", async () => {
  await using apis = await setUpApiProcesses();
  const { databaseUrl: url, databaseName: name } = apis;
  const owner = postgres(url, { max: 1 });
  await owner.unsafe(`alter database "${name}" set default_transaction_read_only = on`);
  const api = apis.start();
  try {
    const origin = await waitForApiOrigin(api);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    expect((await fetch(`${origin}/health/ready`)).status).toBe(503);
    await owner.unsafe(`alter database "${name}" reset default_transaction_read_only`);
    await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await waitForReadiness(origin, "200");
  } finally {
    await owner.end();
  }
  expect({ code: await api.stop(), log: api.log() }).toMatchObject({ code: 0 });
});

test("the API serves starts and probes while all list queries wait for Postgres", async () => {
  await using apis = await setUpApiProcesses();
  const owner = postgres(apis.databaseUrl, { max: 2 });
  // This list timeout is longer than all other waits of the test, so that no list ends early.
  const api = apis.start({ LIST_TIMEOUT_SECONDS: "60" });
  const over = new AbortController();
  const lock = await owner.reserve();
  try {
    const base = await waitForApiOrigin(api);
    const bearerOf = async (subject: string) => ({
      Authorization: `Bearer ${await createTestToken([...builtInReportAuthorities, "REGISTRY_READ"], subject)}`,
    });
    const headers = await bearerOf("alice");
    expect((await fetch(`${base}/v1/domains`, { headers })).status).toBe(200);
    await lock`begin`;
    await lock`lock table domains in access exclusive mode`;
    // Each caller runs one of its three lists at a time, so six callers use all six list connections.
    for (const reader of await Promise.all(["ada", "bea", "cem", "dan", "eva", "fay"].map(bearerOf))) {
      for (let list = 0; list < 3; list++)
        void fetch(`${base}/v1/domains`, { headers: reader, signal: over.signal }).catch(() => undefined);
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
      (await fetch(`${base}/v1/report?reportType=PROXY`, { headers, signal: AbortSignal.timeout(30_000) })).status,
    ).toBe(202);
    await waitForReadiness(base, "200");
  } finally {
    over.abort();
    await lock`rollback`;
    lock.release();
    await owner.end();
  }
});
