import postgres from "postgres";
import { expect, test } from "vitest";
import { createTestDatabases } from "./test-databases.ts";

const { cloneDatabase } = createTestDatabases({
  template: "testing",
  async migrate(url) {
    const sql = postgres(url, { max: 1 });
    await sql`create table notes (text text)`;
    await sql.end();
  },
});

test("a cloned database has the template's tables, but no rows of other clones", async () => {
  await using first = await cloneDatabase();
  await using second = await cloneDatabase();
  const one = postgres(first.url, { max: 1 });
  const other = postgres(second.url, { max: 1 });
  await one`insert into notes values ('mine')`;
  expect(await other`select * from notes`).toHaveLength(0);
  expect(await one`select * from notes`).toHaveLength(1);
  await Promise.all([one.end(), other.end()]);
});

test("concurrent calls of cloneDatabase migrate the template database only once", async () => {
  let migrations = 0;
  const databases = createTestDatabases({ template: "once", migrate: async () => void (migrations += 1) });
  const clones = await Promise.all(Array.from({ length: 5 }, () => databases.cloneDatabase()));
  expect(new Set(clones.map(({ name }) => name)).size).toBe(5);
  expect(migrations).toBe(1);
  await Promise.all(clones.map((clone) => clone[Symbol.asyncDispose]()));
});

test("disposing drops a cloned database even while a client is connected to it", async () => {
  await using other = await cloneDatabase();
  const clone = await cloneDatabase();
  const connected = postgres(clone.url, { max: 1 });
  await connected`select 1`;
  await clone[Symbol.asyncDispose]();
  const sql = postgres(other.url, { max: 1 });
  expect(await sql`select 1 from pg_database where datname = ${clone.name}`).toHaveLength(0);
  await sql.end();
  await connected.end({ timeout: 0 }).catch(() => undefined);
});

test("a cloned database stores UTF-8, and its lower() converts non-ASCII letters", async () => {
  await using database = await cloneDatabase();
  const sql = postgres(database.url, { max: 1 });
  const [row] = await sql`select lower('ÜÉЖ') as lower, current_setting('server_encoding') as encoding`;
  expect(row).toEqual({ lower: "üéж", encoding: "UTF8" });
  await sql.end();
});
