import { randomBytes } from "node:crypto";
import { createDatabaseRoles, databaseRoles } from "@reports/db";
import { hasPgbouncer, startPgbouncer, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { startWorkerProcesses, type WorkerProcess } from "./test/worker-process.ts";

test.concurrent("on a read-only Postgres, a worker is alive, not ready, and logs why once", async () => {
  await using processes = await startWorkerProcesses();
  const { sql } = processes;
  await sql`do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`;
  const waits = "waiting until Postgres accepts writes";
  const worker = await processes.worker({}, waits);
  expect((await fetch(`${worker.origin()}/health/live`)).status).toBe(200);
  expect((await fetch(`${worker.origin()}/health/ready`)).status).toBe(503);
  await sql`do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`;
  const [reset] = await sql`select clock_timestamp()::text as at`;
  // Older sessions are still read-only. A session that was being opened during the reset appears in the list later, so this repeats.
  const isReady = async (): Promise<boolean> => {
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'reports' and backend_start < ${reset!["at"]}`;
    return (await fetch(`${worker.origin()}/health/ready`)).status === 200;
  };
  await waitFor(isReady, { what: "the same worker to be ready", timeoutMs: 60_000 });
  expect(worker.log().split(waits)).toHaveLength(2);
  expect(await worker.stop()).toBe(0);
}, 180_000);

test.concurrent("a worker whose database user lacks a right is not ready and logs the right", async () => {
  await using processes = await startWorkerProcesses();
  const { sql: owner } = processes;
  // `createDatabaseRoles` expects `domains` as a table. The test database has a view of that name.
  await owner`drop view domains`;
  await owner`alter table stored_domains rename to domains`;
  await createDatabaseRoles({ databaseUrl: processes.url });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.worker}`);
  await owner`revoke insert on damaged_files from reports_worker`;
  const url = Object.assign(new URL(processes.url), { username: user, password: "secret" });
  const readinessOf = async ({ origin }: WorkerProcess) => {
    const response = await fetch(`${origin()}/health/ready`);
    return { status: response.status, text: await response.text() };
  };
  const { worker, refused } = await waitFor(
    async () => {
      const started = await processes.worker({ DATABASE_URL: url.href });
      const readiness = await readinessOf(started);
      if (!readiness.text.includes('"timeout"')) return { worker: started, refused: readiness };
      // A worker logs only the first failure of a check. A timeout on a busy machine would hide the right, so the next worker is asked.
      await started.stop();
      return null;
    },
    { what: "a response without timeouts", timeoutMs: 120_000 },
  );
  expect(refused.status).toBe(503);
  expect(JSON.parse(refused.text)).toMatchObject({
    checks: { rights: { status: "failing" }, heartbeat: { status: "ok" } },
  });
  await worker.waitForLog("The user of DATABASE_URL lacks INSERT on damaged_files.");
  await owner`grant insert on damaged_files to reports_worker`;
  await waitFor(async () => (await readinessOf(worker)).status === 200, { what: "readiness", timeoutMs: 60_000 });
  expect(await worker.stop()).toBe(0);
  await owner.unsafe(`drop role ${user}`);
}, 180_000);

test.concurrent(
  "a worker behind a pooler in transaction mode exits immediately with the reason",
  { skip: !hasPgbouncer(), timeout: 180_000 },
  async () => {
    await using processes = await startWorkerProcesses();
    await using pooler = await startPgbouncer({ databaseUrl: processes.url, settings: { pool_mode: "transaction" } });
    const start = processes.worker({ DATABASE_URL: pooler.url });
    await expect(start).rejects.toThrow(/DATABASE_URL: leads to a connection pooler in transaction/);
  },
);
