import type { WorkerRegistration } from "@reports/core/report";
import { createTestDatabases, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createWorkerRegistry } from "./worker-registry.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = createDatabase({ url: clone.url, max: 8, deadlineMs: 60_000 });
});
beforeEach(async () => database.query((queries) => queries.execute(sql`delete from worker_heartbeats`)));
afterAll(async () => {
  await database.close();
  await clone[Symbol.asyncDispose]();
});

const common = { host: "h", pid: 1, version: "1", lanes: ["quick"], servedTypes: {} };
const worker = (workerId: string, ...webhookKeys: string[]): WorkerRegistration => ({
  ...common,
  workerId,
  webhookKeys,
});

async function join(joining: WorkerRegistration, ignored: readonly string[] = []): Promise<readonly string[]> {
  const strangers = await createWorkerRegistry(database).join(joining, [], ignored);
  return strangers.map(({ workerId }) => workerId);
}

test("a worker may join if it shares a webhook key with one running worker", async () => {
  expect(await join(worker("a", "old"))).toEqual([]);
  expect(await join(worker("b", "old", "new"))).toEqual([]);
  expect(await join(worker("c", "new"))).toEqual([]);
  expect(await join(worker("d", "other"))).toEqual(["a", "b", "c"]);
  const rows = await database.query((queries) =>
    queries.execute(sql`select worker_id, webhook_keys from worker_heartbeats order by worker_id`),
  );
  expect([...rows].map(({ webhook_keys }) => webhook_keys)).toEqual([["old"], ["old", "new"], ["new"]]);
});

test("a worker may join without a key of keyless, old, stopping or dead workers", async () => {
  const registry = createWorkerRegistry(database);
  for (const id of ["older", "stopping", "dead", "ignored"]) await registry.heartbeat(worker(id, "other"), []);
  await registry.heartbeat(worker("keyless"), []);
  await registry.announceStop("stopping");
  await database.query((queries) =>
    queries.execute(sql`
      update worker_heartbeats set
        webhook_keys = case worker_id when 'older' then null else webhook_keys end,
        beat_at = case worker_id when 'dead' then now() - interval '26 s' else beat_at end`),
  );
  expect(await join(worker("a", "mine"))).toEqual(["ignored"]);
  expect(await join(worker("a", "mine"), ["ignored"])).toEqual([]);
  expect(await join(worker("b"))).toEqual([]);
});

test("if workers with different webhook keys start at the same time, only one joins", async () => {
  const owner = postgres(clone.url, { max: 1 });
  const results = await owner.begin(async (holding) => {
    await holding`lock table worker_heartbeats in share row exclusive mode`;
    const joining = ["a", "b", "c", "d", "e"].map(async (id) => join(worker(id, `key-${id}`)));
    await waitFor(
      async () =>
        (
          await holding`select from pg_locks where not granted and database = (
        select oid from pg_database where datname = current_database())`
        ).length >= joining.length,
      { what: "the workers to wait" },
    );
    return { joining };
  });
  await owner.end();
  const strangers = await Promise.all(results.joining);
  expect(strangers.filter(({ length }) => length === 0)).toHaveLength(1);
});
