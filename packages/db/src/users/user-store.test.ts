import { inspect } from "node:util";
import { createTestDatabases } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createUserStore } from "./user-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

test("users are found by their exact name, which is unique, and can be changed", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const users = createUserStore(database);
  const alice = await users.create({
    name: "alice",
    passwordHash: "$argon2id$1",
    authorities: ["REPORT_PROXY", "NULL"],
  });
  expect(await users.find("alice")).toEqual(alice);
  for (const name of ["Alice", "a\0", "' or '1'='1", "x' union select * from users--"])
    expect(await users.find(name)).toBeNull();
  await expect(users.create({ name: "alice", passwordHash: "h", authorities: [] })).rejects.toMatchObject({
    issues: [{ code: "taken" }],
  });
  await expect(users.create({ name: "a:b", passwordHash: "h", authorities: [] })).rejects.toMatchObject({
    issues: [{ code: "bad_name" }],
  });
  expect(await users.setAuthorities("alice", [])).toBe(true);
  expect(await users.setPasswordHash("alice", "$argon2id$2")).toBe(true);
  expect(await users.setDisabled("alice", true)).toBe(true);
  expect(await users.setDisabled("bob", true)).toBe(false);
  expect(await users.list()).toEqual([
    { ...alice, authorities: [], passwordHash: "$argon2id$2", disabledAt: expect.any(Date) },
  ]);
  await database.close();
});

test("finding a user takes a statement that Postgres parses once per connection", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1 });
  const users = createUserStore(database);
  for (let time = 0; time < 3; time++) await users.find(`nobody-${time}`);
  const prepared = await database.query((queries) =>
    queries.execute(sql`
      select (generic_plans + custom_plans)::integer as runs from pg_prepared_statements
      where statement like '%"users"%' and statement not like '%pg_prepared_statements%'`),
  );
  expect(prepared).toEqual([{ runs: 3 }]);
  await database.close();
});

test("the error of a failed statement does not contain the statement's parameters", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  await database.query((queries) => queries.execute(sql`alter table users rename to users_away`));
  const calls = [
    async () =>
      createUserStore(database).create({ name: "hunter2", passwordHash: "$argon2id$hunter2", authorities: [] }),
    async () => createUserStore(database).find("hunter2"),
    async () => database.transaction((tx) => tx.execute(sql`select ${"hunter2"}::text from users`)),
  ];
  for (const call of calls) {
    const error = await call().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(inspect(error, { depth: 10 })).toMatch(/Failed query: (select|insert) [^]* relation "users" does not exist/);
    expect(inspect(error, { depth: 10 })).not.toContain("hunter2");
  }
  await database.close();
});
