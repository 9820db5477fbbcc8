import { randomUUID } from "node:crypto";
import {
  sameSchemaKind,
  defineRecord,
  id,
  ignoredField,
  newestFirstSort,
  required,
  serverSetField,
  text,
  time,
  type OwnedCollectionDefinition,
} from "@reports/core/record";
import { createTestDatabases } from "@reports/testing";
import * as pg from "drizzle-orm/pg-core";
import postgres from "postgres";
import { expect, test } from "vitest";
import { z } from "zod";
import { createDatabase } from "../database/database.ts";
import { createListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createOwnedCollectionStores, declareOwnedCollection } from "./owned-collections.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

const fields = {
  id: serverSetField(id()),
  owner: serverSetField(sameSchemaKind(z.string())),
  words: required(text(20)),
  createdAt: serverSetField(time()),
  updatedAt: ignoredField(time()),
};
const definition: OwnedCollectionDefinition<typeof fields> = {
  name: "notes",
  singular: "note",
  title: "Notes",
  description: "Notes of callers.",
  record: defineRecord({ id: "Note", description: "A note." }, fields),
  filters: [],
  sortable: ["createdAt"],
  mostPerOwner: 2,
  example: { words: "One" },
};
const at = (name: string) => pg.timestamp(name, { withTimezone: true, precision: 3 });
const notes = pg.pgTable("notes", {
  id: pg.uuid("id").primaryKey(),
  owner: pg.text("owner").notNull(),
  words: pg.text("words").notNull(),
  revision: pg.bigint("revision", { mode: "number" }).notNull().default(1),
  createdAt: at("created_at").notNull().defaultNow(),
  updatedAt: at("updated_at").notNull().defaultNow(),
  deletedAt: at("deleted_at"),
});

test("a store made from a definition and a table lists and limits records per owner", async () => {
  await using clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1 });
  await sql`create table notes (id uuid primary key, owner text not null, words text not null, revision bigint not null default 1,
    created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(), deleted_at timestamptz(3))`;
  await sql.end();
  const database = createDatabase({ url: clone.url });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 60_000 });
  const [{ store }] = createOwnedCollectionStores(database, lists, [declareOwnedCollection(definition, notes)]) as [
    ReturnType<typeof createOwnedCollectionStores>[number],
  ];
  const create = async (owner: string) => store.create({ id: randomUUID(), owner }, { words: "One" });
  const listOf = async (owner: string | null) => {
    const query = { filters: {}, sort: newestFirstSort, limit: 10, after: null, count: false, owner };
    return (await store.list(query, new AbortController().signal)).items;
  };

  const created = (await create("issuer|ann"))!;
  expect(created).toMatchObject({ owner: "issuer|ann", words: "One", revision: 1, deletedAt: null });
  const other = (await create("issuer|bob"))!;
  const changed = await store.change(created.id, () => ({ words: "Two", owner: "issuer|eve" }));
  expect(changed).toMatchObject({ owner: "issuer|ann", words: "Two", revision: 2 });
  expect(await store.find(created.id)).toEqual(changed);
  expect(await listOf("issuer|ann")).toEqual([changed]);
  expect(await listOf(null)).toEqual([other, changed]);
  expect(await create("issuer|ann")).not.toBeNull();
  expect(await create("issuer|ann")).toBeNull();
  await store.remove(created.id, () => undefined);
  expect(await store.find(created.id)).toMatchObject({ revision: 3, deletedAt: expect.any(Date) });
  expect(await store.change(created.id, () => ({ words: "Three" }))).toBeNull();
  expect(await listOf("issuer|ann")).toHaveLength(1);
  await Promise.all([database.close(), lists.close()]);
});
