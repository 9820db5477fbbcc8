import { text as readText } from "node:stream/consumers";
import { builtInReportTypes, unlimitedStarts } from "@reports/core/report";
import { newestFirstSort } from "@reports/core/record";
import {
  createTestDatabases,
  generateDemoInventory,
  hasPgbouncer,
  startPgbouncer,
  waitFor,
  makeNewReport,
} from "@reports/testing";
import { sql } from "drizzle-orm";
import { Logger, run } from "graphile-worker";
import { describe, expect, test } from "vitest";
import { copyIntoInventory } from "../inventory/copy-into-inventory.ts";
import { createDatabase } from "./database.ts";
import { createListConnectionPool } from "./list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportChangeFeed } from "../reports/notifications.ts";
import { createQueuePool } from "../queue/queue-pool.ts";
import { defaultQueueSchema, laneSchemaName } from "../queue/queue-schema.ts";
import { createRowSourceReader } from "../rows/report-source.ts";
import { createDomainStore } from "../collections/inventory-collections.ts";
import { createReportStore } from "../reports/report-store.ts";
import { findSourcesSharingSessions, hasSharedSessions } from "./shared-sessions.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openPooled(settings: Readonly<Record<string, string>>) {
  const clone = await cloneDatabase();
  const pooler = await startPgbouncer({ databaseUrl: clone.url, settings });
  return {
    url: pooler.url,
    direct: clone.url,
    async [Symbol.asyncDispose]() {
      await pooler[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("connections to Postgres without a pooler are not reported as sharing sessions", async () => {
  await using clone = await cloneDatabase();
  expect(await hasSharedSessions(clone.url, null)).toBe(false);
});

describe.skipIf(!hasPgbouncer())("behind pgbouncer", () => {
  test.each([
    [{ pool_mode: "transaction" }, true],
    [{ pool_mode: "transaction", server_round_robin: "1", min_pool_size: "5" }, true],
    [{ pool_mode: "statement" }, true],
    [{ pool_mode: "session" }, false],
  ])("with the pgbouncer settings %j, shared sessions are reported if there are any", async (settings, expected) => {
    await using pooled = await openPooled(settings);
    expect(await hasSharedSessions(pooled.url, null)).toBe(expected);
    const unreachable: string[] = [];
    const severalHosts = pooled.url.replace("@", "@127.0.0.1:1,");
    const found = await findSourcesSharingSessions(
      { billing: { url: severalHosts }, edge: { url: pooled.direct } },
      { signal: new AbortController().signal, onUnreachable: (name) => void unreachable.push(name) },
    );
    expect([found, unreachable]).toEqual([expected ? ["billing"] : [], ["billing"]]);
  });

  test("shared sessions are reported while other clients use the pooler", async () => {
    await using pooled = await openPooled({ pool_mode: "transaction" });
    const other = createDatabase({ url: pooled.url, max: 2 });
    const checked = new AbortController();
    const useServers = async (): Promise<void> => {
      while (!checked.signal.aborted) await other.transaction(async (tx) => void (await tx.execute(sql`select 1`)));
    };
    const clients = [useServers(), useServers()];
    const found: boolean[] = [];
    for (let check = 0; check < 100; check++) found.push(await hasSharedSessions(pooled.url, null));
    checked.abort();
    await Promise.all(clients);
    expect(found.filter((isShared) => !isShared)).toEqual([]);
    await other.close();
  });

  test("behind pgbouncer's session mode, a list ends when its caller leaves", async () => {
    await using pooled = await openPooled({ pool_mode: "session", default_pool_size: "5" });
    const lists = createListConnectionPool({ url: pooled.url, max: 1, deadlineMs: 60_000, cancelTimeoutMs: 60_000 });
    const direct = createDatabase({ url: pooled.direct, max: 1 });
    const { signal } = new AbortController();
    const backend = async () =>
      lists.read(async (queries) => queries.execute(sql`select pg_backend_pid() as pid`), signal);
    const [before] = await backend();
    const active = async () =>
      direct.query(async (queries) => {
        const rows = await queries.execute(
          sql`select from pg_stat_activity where pid = ${before!["pid"]}::integer and state = 'active'`,
        );
        return rows.length === 1;
      });
    const caller = new AbortController();
    const read = lists.read(async (queries) => queries.execute(sql`select pg_sleep(600)`), caller.signal);
    await waitFor(active, { what: "the statement" });
    caller.abort(new Error("left"));
    await expect(read).rejects.toThrow("left");
    expect(await active()).toBe(false);
    expect(await backend()).toEqual([before]);
    await lists.close();
    await direct.close();
  });

  test("callers behind pgbouncer that share a server connection get the same lists", async () => {
    await using pooled = await openPooled({ pool_mode: "session", default_pool_size: "1" });
    await copyIntoInventory({ databaseUrl: pooled.direct, ...generateDemoInventory({ proxies: 2, domains: 4 }) });
    const pages: (readonly unknown[])[] = [];
    const query = { filters: {}, sort: newestFirstSort, limit: 4, after: null, count: false, parentId: null };
    for (let caller = 0; caller < 2; caller++) {
      const database = createDatabase({ url: pooled.url, max: 1 });
      const lists = createListConnectionPool({ url: pooled.url, max: 1, deadlineMs: 60_000 });
      const store = createDomainStore(database, lists);
      for (let time = 0; time < 3; time++) pages.push((await store.list(query, new AbortController().signal)).items);
      await lists.close();
      await database.close();
    }
    expect(pages).toEqual(Array.from({ length: 6 }, () => pages[0]));
    expect(pages[0]).toHaveLength(4);
  });

  test("behind pgbouncer's session mode, starts, notifications, jobs and rows work", async () => {
    await using pooled = await openPooled({ pool_mode: "session", default_pool_size: "50" });
    const database = createDatabase({ url: pooled.url, max: 3 });
    const changes = createReportChangeFeed({ url: pooled.url, database });
    const notified: string[] = [];
    const done: unknown[] = [];
    let isLive = false;
    changes.listen({
      onChange: (id) => void notified.push(id),
      onLive: () => void (isLive = true),
      onLost: (error) => void notified.push(String(error)),
    });
    await waitFor(() => isLive, { what: "notifications" });
    const pool = createQueuePool({ url: pooled.url, max: 3, onLost: (error) => void notified.push(error.message) });
    const runner = await run({
      pgPool: pool,
      schema: laneSchemaName(defaultQueueSchema, "quick"),
      logger: new Logger(() => () => undefined),
      noHandleSignals: true,
      taskList: { run_report: async (payload) => void done.push(payload) },
    });
    try {
      await copyIntoInventory({ databaseUrl: pooled.url, ...generateDemoInventory({ proxies: 20, domains: 300 }) });
      const store = createReportStore(database);
      const { report } = await store.createQueued(makeNewReport(), unlimitedStarts);
      await store.rename(report.id, report.revision, "Another title");
      await waitFor(() => notified.includes(report.id), { what: "the notification of the change" });
      await waitFor(() => done.length === 1, { what: "the job to run" });
      expect(done).toEqual([expect.objectContaining({ reportId: report.id })]);
      const [row] = await database.query((queries) =>
        queries.execute(sql`select current_setting('synchronous_commit') as level,
          current_setting('statement_timeout') as timeout, current_setting('TimeZone') as zone`),
      );
      expect(row).toEqual({ level: "on", timeout: "10s", zone: "UTC" });
      const definition = builtInReportTypes.find(({ type }) => type === "PROXY")!;
      const rows = await createRowSourceReader({ url: pooled.url }).open({
        definition,
        searchParam: {},
        columns: definition.columns.filter(({ key }) => key === "name"),
        sort: [{ key: "name", descending: false }],
        timezone: "UTC",
        statementTimeoutMs: 60_000,
        signal: new AbortController().signal,
      });
      expect((await readText(rows.bytes)).trimEnd().split("\n")).toHaveLength(20);
      expect(notified.filter((text) => text !== report.id)).toEqual([]);
    } finally {
      await runner.stop();
      await pool.end();
      await changes.close();
      await database.close();
    }
  });
});
