import { StoreUnavailableError } from "@reports/core/base";
import { createTestDatabases } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createQueuePool } from "../queue/queue-pool.ts";
import { enablePasswordReload, createPasswordReader, withCurrentPassword } from "./current-password.ts";
import { createDatabase } from "./database.ts";
import { connectPgClient, destroySocket } from "./pg-connection.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

test.each([
  ["postgres://one:old@a,b:5432/d?sslmode=require", "postgres://one:n%2Fw$&@h/d", "n%2Fw$&"],
  ["postgres://two:old@h/d", "postgres://other:new@h/d", "old"],
  ["postgres://three:old@h/d", "not a URL", "old"],
])("if the URL %s is replaced by %s, new connections use the password %s", (url, now, password) => {
  enablePasswordReload(url, () => now);
  expect(withCurrentPassword(url)).toBe(url.replace(":old@", () => `:${password}@`));
  expect(createPasswordReader(url)?.()).toBe(decodeURIComponent(password));
});

test("a new password applies to each host of its URL, not to other hosts of that user", () => {
  enablePasswordReload("postgres://same:old@a,b:5433/d", () => "postgres://same:new@a,b:5433/d");
  enablePasswordReload("postgres://same:old@c/d", () => "postgres://same:old@c/d");
  for (const [host, password] of [
    ["a", "new"],
    ["b:5433", "new"],
    ["c", "old"],
    ["unknown", "old"],
  ] as const)
    expect(withCurrentPassword(`postgres://same:old@${host}/d`)).toBe(`postgres://same:${password}@${host}/d`);
});

test("a password in a replaced URL does not change a URL that had no password", () => {
  enablePasswordReload("postgres://h/d", () => "postgres://u:new@h/d");
  expect(withCurrentPassword("postgres://h/d")).toBe("postgres://h/d");
  expect(createPasswordReader("postgres://u@h/d")).toBeUndefined();
});

test("pools use a replaced password without a restart; with the old one, calls reject", async () => {
  await using clone = await databases.cloneDatabase();
  const owner = postgres(clone.url, { max: 1 });
  const role = `rotated_${clone.name}`;
  await owner.unsafe(`create role ${role} login password 'first' in role pg_monitor`);
  const withPassword = (password: string) => Object.assign(new URL(clone.url), { username: role, password }).href;
  const url = withPassword("first");
  let inFile = url;
  enablePasswordReload(url, () => inFile);
  const database = createDatabase({ url, max: 1 });
  const queue = createQueuePool({ url, max: 1, onLost: () => undefined });
  const options = { url, database: "service", connectTimeoutMs: 5_000, applicationName: "rotated" } as const;
  const readOne = async () => database.query(async (queries) => queries.execute(sql`select 1 as one`));
  await readOne();
  await queue.query("select 1");

  await owner.unsafe(`alter role ${role} password 'second'`);
  await owner`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`;
  await expect(readOne()).rejects.toThrow(StoreUnavailableError);
  await expect(readOne()).rejects.toThrow("Postgres cannot be used now (28P01); try again later.");
  await expect(queue.query("select 1")).rejects.toThrow("password authentication failed");
  await expect(connectPgClient(options, null)).rejects.toThrow(StoreUnavailableError);

  inFile = withPassword("second");
  expect([...(await readOne())]).toEqual([{ one: 1 }]);
  await queue.query("select 1");
  destroySocket(await connectPgClient(options, null));
  await Promise.all([database.close(), queue.end()]);
  await owner.unsafe(`drop owned by ${role}; drop role ${role}`);
  await owner.end();
});
