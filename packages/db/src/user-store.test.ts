import { createTestDatabases } from "@reports/testing";
import { expect, test } from "vitest";
import { createDatabase } from "./database.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { createUserStore } from "./user-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

test("a user is found by exact name with authorities, can be changed and disabled, and is not made twice", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const users = createUserStore(database);
  const alice = await users.create({
    name: "alice",
    passwordHash: "$argon2id$1",
    authorities: ["REPORT_PROXY", "NULL"],
  });
  expect(await users.find("alice")).toEqual(alice);
  expect([await users.find("Alice"), await users.find("a\0")]).toEqual([null, null]);
  await expect(users.create({ name: "alice", passwordHash: "h", authorities: [] })).rejects.toMatchObject({
    code: "taken",
  });
  await expect(users.create({ name: "a:b", passwordHash: "h", authorities: [] })).rejects.toMatchObject({
    code: "bad-name",
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
