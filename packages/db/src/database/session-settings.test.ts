import { StoreUnavailableError } from "@reports/core/base";
import { applyHostileSettings, createTestDatabases, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "./database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createQueuePool } from "../queue/queue-pool.ts";
import { createListConnectionPool } from "./list-connection-pool.ts";
import { connectPgClient } from "./pg-connection.ts";
import type { Queries } from "./queries.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const asked = "select current_setting('synchronous_commit') as level, current_setting('jit') as jit";
const asking = sql`select current_setting('synchronous_commit') as level, current_setting('jit') as jit`;

const readLevel = (database: Database) =>
  database.query(async (queries) => (await queries.execute<{ level: string }>(asking))[0]!.level);

async function cloneWithLevel(level: string) {
  const clone = await cloneDatabase();
  const owner = await connectPgClient(
    { url: clone.url, database: "service", connectTimeoutMs: 5_000, applicationName: "owner" },
    null,
  );
  await owner.query(`alter database "${clone.name}" set synchronous_commit to '${level}'`);
  await owner.query(`alter database "${clone.name}" set jit to on`);
  await owner.end();
  return clone;
}

test.each([
  ["off", "on"],
  ["local", "on"],
  ["remote_write", "on"],
  ["on", "on"],
  ["remote_apply", "remote_apply"],
])("if synchronous_commit is %s by default, sessions use %s, and the queue's use off", async (level, expected) => {
  await using clone = await cloneWithLevel(level);
  const database = createDatabase({ url: clone.url, max: 2 });
  const client = await connectPgClient(
    { url: clone.url, database: "service", connectTimeoutMs: 5_000, applicationName: "test" },
    null,
  );
  const pool = createQueuePool({ url: clone.url, max: 2, onLost: () => undefined });
  try {
    const settings = [{ level: expected, jit: "off" }];
    expect(await database.query(async (queries) => [...(await queries.execute(asking))])).toEqual(settings);
    expect(await database.transaction(async (tx) => [...(await tx.execute(asking))])).toEqual(settings);
    expect((await client.query(asked)).rows).toEqual(settings);
    expect((await pool.query(asked)).rows).toEqual([{ level: "off", jit: "off" }]);
  } finally {
    await client.end();
    await pool.end();
    await database.close();
  }
});

const fixed = {
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  TimeZone: "UTC",
  bytea_output: "hex",
  client_encoding: "UTF8",
  default_transaction_isolation: "read committed",
  exit_on_error: "off",
  extra_float_digits: "1",
  gin_fuzzy_search_limit: "0",
  idle_session_timeout: "0",
  lock_timeout: "0",
  row_security: "on",
  search_path: "public, pg_temp",
  session_replication_role: "origin",
  standard_conforming_strings: "on",
  synchronous_commit: "on",
} as const;
const names = `{${Object.keys(fixed).join(",")}}`;
const readFixed = sql`select json_object_agg(name, current_setting(name)) as settings from unnest(${names}::text[]) as name`;
const fixedText = "select json_object_agg(name, current_setting(name)) as settings from unnest($1::text[]) as name";

test("sessions of the service have fixed settings despite the database's defaults", async () => {
  await using clone = await cloneDatabase();
  await applyHostileSettings(clone.url);
  const database = createDatabase({ url: clone.url, max: 1 });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 30_000 });
  const client = await connectPgClient(
    { url: clone.url, database: "service", connectTimeoutMs: 5_000, applicationName: "test" },
    null,
  );
  const pool = createQueuePool({ url: clone.url, max: 1, onLost: () => undefined });
  const read = async (queries: Queries) => (await queries.execute(readFixed))[0];
  try {
    const own = new AbortController().signal;
    expect([
      await database.query(read),
      await lists.read(read, own),
      (await client.query(fixedText, [names])).rows[0] as unknown,
      (await pool.query(fixedText, [names])).rows[0] as unknown,
    ]).toEqual([
      ...Array.from({ length: 3 }, () => ({ settings: fixed })),
      { settings: { ...fixed, synchronous_commit: "off" } },
    ]);
  } finally {
    await client.end();
    await pool.end();
    await lists.close();
    await database.close();
  }
});

test("a role that may not change session_replication_role gets an error that names it", async () => {
  await using clone = await cloneDatabase();
  const name = `replica_${clone.name}`;
  const owner = await connectPgClient(
    { url: clone.url, database: "service", connectTimeoutMs: 5_000, applicationName: "owner" },
    null,
  );
  await owner.query(`create role ${name} login password 'secret'`);
  await owner.query(`alter role ${name} set session_replication_role to 'replica'`);
  const url = Object.assign(new URL(clone.url), { username: name, password: "secret" }).href;
  const database = createDatabase({ url, max: 1 });
  try {
    await expect(database.check()).rejects.toMatchObject({
      cause: { message: expect.stringContaining("session_replication_role") as string },
    });
  } finally {
    await database.close();
    await owner.query(`drop role ${name}`);
    await owner.end();
  }
});

async function openLosable() {
  const clone = await cloneWithLevel("off");
  const database = createDatabase({ url: clone.url, max: 1, deadlineMs: 7_000 });
  const helper = createDatabase({ url: clone.url, max: 1 });
  return {
    database,
    readSession: () =>
      database.query(async (queries) => {
        const [row] = await queries.execute(
          sql`select pg_backend_pid() as pid, current_setting('statement_timeout') as "timeout"`,
        );
        return row as { pid: number; timeout: string };
      }),
    end: (pid: number) => helper.query((queries) => queries.execute(sql`select pg_terminate_backend(${pid}, 5000)`)),
    isActive: (pid: number) =>
      helper.query(async (queries) => {
        const [row] = await queries.execute(
          sql`select state = 'active' as "is" from pg_stat_activity where pid = ${pid}`,
        );
        return row?.["is"] === true;
      }),
    async [Symbol.asyncDispose]() {
      await database.close();
      await helper.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("a connection that replaces a lost one has the same session settings", async () => {
  await using losable = await openLosable();
  const { database, readSession } = losable;
  const first = await readSession();
  await losable.end(first.pid);
  const second = await readSession().catch(readSession);
  expect(second.pid).not.toBe(first.pid);
  expect(second.timeout).toBe("7s");
  expect(await readLevel(database)).toBe("on");
});

test("the loss of a connection fails only the statement that it runs", async () => {
  await using losable = await openLosable();
  const { database, readSession } = losable;
  const { pid } = await readSession();
  const outcome = database
    .query((queries) => queries.execute(sql`select pg_sleep(600)`))
    .catch((error: unknown) => error);
  await waitFor(() => losable.isActive(pid), { what: "the statement to run" });
  await losable.end(pid);
  expect(await outcome).toBeInstanceOf(StoreUnavailableError);
  expect(await readSession()).toMatchObject({ timeout: "7s" });
  expect(await readLevel(database)).toBe("on");
});

test("a session whose settings Postgres refuses runs no query", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1, settings: { statement_timeout: "-1" } });
  const call = () => database.query((queries) => queries.execute(sql`select 1`));
  const refusal = {
    cause: expect.objectContaining({ message: expect.stringContaining("statement_timeout") as string }) as Error,
  };
  await expect(call()).rejects.toMatchObject(refusal);
  await expect(call()).rejects.toThrow();
  await database.close();
});
