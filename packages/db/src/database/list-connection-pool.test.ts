import { createSeededRandom, createTestDatabases, waitFor, isFullTestRun } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createListConnectionPool, type ListConnectionPool } from "./list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const outOfReachMs = 60_000;
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let owner: postgres.Sql;
let lists: ListConnectionPool;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  owner = postgres(clone.url, { max: 1 });
});
afterEach(async () => lists.close());
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

async function running(): Promise<number> {
  const [row] = await owner`
    select count(*)::int as running from pg_stat_activity
    where datname = current_database() and application_name = 'reports-lists' and state = 'active'`;
  return row!["running"] as number;
}

const untilRunning = async (expected: number) =>
  waitFor(async () => (await running()) === expected, { what: `${expected} statements` });

const sleep = (seconds: number, signal: AbortSignal) =>
  lists.read(async (queries) => queries.execute(sql`select pg_sleep(${seconds}::integer)`), signal);

test("a list's statement ends when its caller leaves, and its connection is reused", async () => {
  lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: outOfReachMs, cancelTimeoutMs: outOfReachMs });
  const backend = async () =>
    lists.read(
      async (queries) => (await queries.execute(sql`select pg_backend_pid() as pid`))[0],
      new AbortController().signal,
    );
  const before = await backend();
  const caller = new AbortController();
  const sent: string[] = [];
  const read = lists.read(async (queries) => {
    sent.push("first");
    await queries.execute(sql`select pg_sleep(600)`).catch(() => undefined);
    sent.push("second");
    await queries.execute(sql`select pg_sleep(600)`);
  }, caller.signal);
  await untilRunning(1);
  const reason = new Error("left");
  caller.abort(reason);
  await expect(read).rejects.toBe(reason);
  expect(await running()).toBe(0);
  expect(sent).toEqual(["first", "second"]);
  expect(await backend()).toEqual(before);
});

test("a list uses one process of Postgres, even if Postgres's settings allow more", async () => {
  lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: outOfReachMs, cancelTimeoutMs: outOfReachMs });
  const [row] = await lists.read(
    async (queries) => queries.execute(sql`select current_setting('max_parallel_workers_per_gather') as workers`),
    new AbortController().signal,
  );
  expect(row).toEqual({ workers: "0" });
});

test("a caller that leaves while its list waits for a connection never gets one", async () => {
  lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: outOfReachMs, cancelTimeoutMs: outOfReachMs });
  const [first, second] = [new AbortController(), new AbortController()];
  const reads = [sleep(600, first.signal), sleep(600, second.signal)];
  await untilRunning(1);
  second.abort(new Error("second"));
  await expect(reads[1]).rejects.toThrow("second");
  first.abort(new Error("first"));
  await expect(reads[0]).rejects.toThrow("first");
  expect(await running()).toBe(0);
});

test("a list fails at its deadline, which includes the wait for a connection", async () => {
  lists = createListConnectionPool({
    url: clone.url,
    max: 1,
    deadlineMs: isFullTestRun ? 3_000 : 1_000,
    cancelTimeoutMs: outOfReachMs,
  });
  const { signal } = new AbortController();
  // Keeps its connection until the second list has failed. Otherwise the second one could get it just before its own deadline.
  const first = lists.read(async (queries) => {
    try {
      await queries.execute(sql`select pg_sleep(600)`);
    } finally {
      await Promise.allSettled([second]);
    }
  }, signal);
  const second = sleep(600, signal);
  const outcomes = await Promise.allSettled([first, second]);
  expect(outcomes.map((outcome) => (outcome.status === "rejected" ? outcome.reason : outcome))).toEqual([
    expect.objectContaining({ code: "list-too-slow", kind: "unavailable", message: expect.stringMatching(/sort/) }),
    expect.objectContaining({ code: "list-too-slow", kind: "unavailable", message: expect.stringMatching(/waited/) }),
  ]);
  await untilRunning(0);
});

test("a caller who leaves at any moment ends no statement of another caller", async () => {
  lists = createListConnectionPool({ url: clone.url, max: 2, deadlineMs: outOfReachMs });
  const random = createSeededRandom(20_261_122, 1, 1);
  const rounds = isFullTestRun ? 150 : 50;
  const staying: Promise<unknown>[] = [];
  const leaving: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round++) {
    const caller = new AbortController();
    // The statement takes about as long as a caller waits before it leaves. So it often ends at the moment at which a cancel arrives.
    leaving.push(
      lists
        .read(
          async (queries) => queries.execute(sql`select pg_sleep(0.002), ${round}::integer as round`),
          caller.signal,
        )
        .catch((error: unknown) => error),
    );
    staying.push(
      lists.read(
        async (queries) => queries.execute(sql`select pg_sleep(0.001), ${round}::integer as round`),
        new AbortController().signal,
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, random.integer(0, 4)));
    caller.abort(new Error("left"));
  }
  await Promise.all(leaving);
  expect(await Promise.all(staying)).toHaveLength(rounds);
});
