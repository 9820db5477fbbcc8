import { randomUUID } from "node:crypto";
import { badCursorIssue, type KeysetPosition, type SortKey } from "@reports/core/query";
import { domainInputSchema, proxyInputSchema } from "@reports/core/inventory";
import {
  firstRecordVersion,
  newestFirstSort,
  type CollectionDefinition,
  type CollectionRecord,
} from "@reports/core/record";
import { createTestDatabases, isFullTestRun } from "@reports/testing";
import { sql } from "drizzle-orm";
import { bigint, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import postgres from "postgres";

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createCollectionStore } from "./collection-store.ts";
import { createDatabase, type Database } from "../database/database.ts";
import { createListConnectionPool, type ListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDomainStore, createProxyStore } from "./inventory-collections.ts";
import { createRelationColumn } from "../relations/relation.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let database: Database;
let lists: ListConnectionPool;

beforeEach(async () => {
  clone = await databases.cloneDatabase();
  database = createDatabase({ url: clone.url });
  lists = createListConnectionPool({ url: clone.url, deadlineMs: 30_000 });
});
afterEach(async () => {
  await database.close();
  await lists.close();
  await clone[Symbol.asyncDispose]();
});

const { signal } = new AbortController();
const page = { filters: {}, sort: newestFirstSort, limit: 50, after: null, count: false, parentId: null } as const;

function proxyInput(name: string, fields: Record<string, unknown> = {}) {
  return proxyInputSchema.parse({
    name,
    kind: "REVERSE",
    address: `${name}.example.net`,
    port: 443,
    protocol: "HTTPS",
    ...fields,
  });
}

function domainInput(hostname: string, fields: Record<string, unknown> = {}) {
  return domainInputSchema.parse({
    hostname,
    upstreamScheme: "HTTP",
    upstreamHost: "10.0.0.1",
    upstreamPort: 80,
    tlsMode: "NONE",
    ...fields,
  });
}

async function addProxy(name: string, fields: Record<string, unknown> = {}) {
  const id = randomUUID();
  await createProxyStore(database, lists).create({ id, parentId: null }, proxyInput(name, fields));
  return id;
}

test("a record is read back as it was stored, and its version grows with each change", async () => {
  const store = createProxyStore(database, lists);
  const place = { id: randomUUID(), parentId: null };
  const input = proxyInput("edge-1", { tags: ["a", "ü"], latencyMsP95: 12, lastCheckedAt: "2026-01-02T03:04:05.678Z" });
  const created = await store.create(place, input);
  expect(created.record).toMatchObject({ ...input, id: place.id });
  expect(created).toMatchObject({
    version: firstRecordVersion,
    configuredAt: created.record.updatedAt,
    deletedAt: null,
  });
  expect(await store.find(place)).toEqual(created);
  const observed = await store.replace(place, firstRecordVersion, { configuration: 1, observations: 1 }, input);
  expect(observed).toMatchObject({
    version: { configuration: 1, observations: 1 },
    configuredAt: created.configuredAt,
  });
  const to = { configuration: 2, observations: 1 };
  const replaced = await store.replace(place, observed!.version, to, proxyInput("edge-1", { port: 8443 }));
  expect(replaced).toMatchObject({
    version: to,
    configuredAt: replaced!.record.updatedAt,
    record: { port: 8443, tags: [], createdAt: created.record.createdAt },
  });
});

const incidents = pgTable("incidents", {
  id: uuid("id").primaryKey(),
  title: text("title").notNull(),
  rootCause: text("root_cause").notNull().default("secret"),
  createdAt: timestamp("created_at", { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp("updated_at", { withTimezone: true }).notNull().defaultNow(),
  revision: bigint("revision", { mode: "number" }).notNull().default(1),
  observations: bigint("observations", { mode: "number" }).notNull().default(0),
  configuredAt: timestamp("configured_at", { withTimezone: true }),
  deletedAt: timestamp("deleted_at", { withTimezone: true }),
});
interface IncidentInput {
  readonly title: string;
}
const incidentsCollection: CollectionDefinition<IncidentInput> = {
  name: "incidents",
  singular: "incident",
  title: "Incidents",
  description: "What went wrong.",
  schema: z.strictObject({ id: z.uuid(), title: z.string(), createdAt: z.iso.datetime() }),
  rules: {
    schema: z.strictObject({ title: z.string() }),
    fields: ["title"],
    serverFields: ["id", "createdAt"],
    observedFields: [],
  },
  filters: [],
  sortable: ["title", "createdAt"],
  defaultSort: newestFirstSort,
  authorities: { read: "READ", write: "WRITE" },
  example: { title: "It rains in." },
};
const incidentsMapping = {
  table: incidents,
  relation: {
    name: "incidents",
    from: sql`${incidents}`,
    active: sql`${incidents.deletedAt} is null`,
    id: sql`${incidents.id}`,
    columns: {
      id: createRelationColumn(incidents.id, "uuid"),
      title: createRelationColumn(incidents.title, "text"),
      createdAt: createRelationColumn(incidents.createdAt, "timestamptz"),
    },
  },
  unique: [],
};

async function createIncidents(): Promise<void> {
  await database.query(async (queries) =>
    queries.execute(sql`create table incidents (id uuid primary key, title text not null, root_cause text not null default 'secret',
      created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
      revision bigint not null default 1, observations bigint not null default 0, configured_at timestamptz, deleted_at timestamptz)`),
  );
}

describe("a table with more columns than its collection's schema", () => {
  test("a store selects only its schema's columns, so its role needs no right to others", async () => {
    await createIncidents();
    const role = `reader_${randomUUID().slice(0, 8)}`;
    const owner = postgres(clone.url, { max: 1 });
    await owner`create role ${owner(role)} login password 'reader'`;
    await owner`grant insert, update on incidents to ${owner(role)}`;
    await owner`grant select (id, title, created_at, updated_at, revision, observations, configured_at, deleted_at) on incidents to ${owner(role)}`;
    const url = new URL(clone.url);
    url.username = role;
    url.password = "reader";
    const restricted = createDatabase({ url: url.href });
    const restrictedLists = createListConnectionPool({ url: url.href, deadlineMs: 30_000 });
    try {
      const store = createCollectionStore<CollectionRecord, IncidentInput>(
        restricted,
        restrictedLists,
        incidentsCollection,
        incidentsMapping,
      );
      const place = { id: randomUUID(), parentId: null };
      const created = await store.create(place, { title: "It rains in." });
      expect(Object.keys(created.record)).toEqual(["id", "title", "createdAt"]);
      expect(await store.find(place)).toEqual(created);
      expect((await store.list(page, signal)).items).toEqual([JSON.parse(JSON.stringify(created.record))]);
      const version = { configuration: 2, observations: 0 };
      const replaced = await store.replace(place, firstRecordVersion, version, { title: "It is dry." });
      expect(replaced).toMatchObject({ version, record: { ...created.record, title: "It is dry." } });
      expect(Object.keys(replaced!.record)).toEqual(Object.keys(created.record));
      expect(await store.remove(place, version)).toBe(true);
    } finally {
      await restricted.close();
      await restrictedLists.close();
      await owner`drop owned by ${owner(role)}`;
      await owner`drop role ${owner(role)}`;
      await owner.end();
    }
  });

  test("creating a store throws if the table has no column for a field", () => {
    const schema = incidentsCollection.schema.extend({ severity: z.string() });
    expect(() => createCollectionStore(database, lists, { ...incidentsCollection, schema }, incidentsMapping)).toThrow(
      /incidents.*severity/,
    );
  });
});

test("if two writers replace the same version of a record, exactly one succeeds", async () => {
  const store = createProxyStore(database, lists);
  const place = { id: await addProxy("edge-1"), parentId: null };
  const outcomes = await Promise.all(
    [8001, 8002].map(async (port) =>
      store.replace(place, firstRecordVersion, { configuration: 2, observations: 0 }, proxyInput("edge-1", { port })),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
  expect((await store.find(place))!.version).toEqual({ configuration: 2, observations: 0 });
});

test("a write by an API of an older release counts as a change of the configuration", async () => {
  const store = createProxyStore(database, lists);
  const place = { id: await addProxy("edge-1"), parentId: null };
  await database.query((queries) => queries.execute(sql`update proxies set region = 'eu', revision = revision + 1`));
  expect((await store.find(place))!.version).toEqual({ configuration: 2, observations: 0 });
  const to = { configuration: 1, observations: 1 };
  expect(await store.replace(place, firstRecordVersion, to, proxyInput("edge-1", { health: "UP" }))).toBeNull();
});

test("create rejects with each field whose value another active record has", async () => {
  const store = createProxyStore(database, lists);
  const id = await addProxy("edge-1");
  const other = async () => store.create({ id: randomUUID(), parentId: null }, proxyInput("edge-1"));
  await expect(other()).rejects.toMatchObject({
    kind: "invalid",
    issues: [
      { pointer: "/name", code: "taken" },
      { pointer: "/address", code: "taken" },
      { pointer: "/port", code: "taken" },
    ],
  });
  expect(await store.remove({ id, parentId: null }, firstRecordVersion)).toBe(true);
  await expect(other()).resolves.toMatchObject({ version: firstRecordVersion });
});

describe("domains of a deleted proxy", () => {
  test("deleting a proxy also deletes its domains", async () => {
    const domains = createDomainStore(database, lists);
    const proxyId = await addProxy("edge-1");
    const domain = { id: randomUUID(), parentId: proxyId };
    await domains.create(domain, domainInput("a.example.org"));
    expect(await createProxyStore(database, lists).remove({ id: proxyId, parentId: null }, firstRecordVersion)).toBe(
      true,
    );
    expect((await domains.find(domain))!.deletedAt).toBeInstanceOf(Date);
    expect((await domains.list(page, signal)).items).toEqual([]);
    await expect(
      domains.create({ id: randomUUID(), parentId: proxyId }, domainInput("b.example.org")),
    ).rejects.toMatchObject({
      kind: "gone",
    });
  });

  test("a deleted proxy has no active domain, even if some were created meanwhile", async () => {
    const domains = createDomainStore(database, lists);
    for (let round = 0; round < 5; round++) {
      const proxyId = await addProxy(`edge-${round}`);
      const creations = Array.from({ length: 8 }, async (_, index) =>
        domains.create({ id: randomUUID(), parentId: proxyId }, domainInput(`h${index}.example.org`)),
      );
      const removal = createProxyStore(database, lists).remove({ id: proxyId, parentId: null }, firstRecordVersion);
      const outcomes = await Promise.allSettled(creations);
      await removal;
      const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      for (const refusal of refusals) expect(refusal).toMatchObject({ kind: "gone" });
      expect((await domains.list({ ...page, parentId: proxyId }, signal)).items).toEqual([]);
    }
  });
});

test("a domain is found only under its own proxy, and needs an existing proxy", async () => {
  const domains = createDomainStore(database, lists);
  const [one, two] = [await addProxy("edge-1"), await addProxy("edge-2")];
  const id = randomUUID();
  await domains.create({ id, parentId: one }, domainInput("a.example.org"));
  expect(await domains.find({ id, parentId: two })).toBeNull();
  expect(await domains.remove({ id, parentId: two }, firstRecordVersion)).toBe(false);
  await expect(
    domains.create({ id: randomUUID(), parentId: randomUUID() }, domainInput("a.example.org")),
  ).rejects.toMatchObject({
    kind: "not-found",
  });
});

const sorts: readonly (readonly SortKey[])[] = [
  newestFirstSort,
  [{ key: "region", descending: false }],
  [{ key: "region", descending: true }],
  [
    { key: "health", descending: false },
    { key: "region", descending: true },
  ],
  [
    { key: "region", descending: true },
    { key: "latencyMsP95", descending: false },
  ],
];

// Outside of CI, only the first and the last sort order. In other sort orders, list-walk.test.ts walks through proxies whose fields change.
test.each(
  (isFullTestRun ? sorts : [sorts[0]!, sorts.at(-1)!]).map(
    (sort) => [sort.map(({ key, descending }) => `${descending ? "-" : ""}${key}`).join(), sort] as const,
  ),
)("pages sorted by %s show each remaining proxy once while others come and go", async (_, sort) => {
  const store = createProxyStore(database, lists);
  const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;
  const fieldsOf = (index: number) => ({
    region: pick(["eu", null, "us", "eu"], index),
    health: pick(["UP", "DOWN", "UNKNOWN"], index * 7),
    latencyMsP95: pick([5, null, 9], index * 3),
  });
  const kept: string[] = [];
  for (let index = 0; index < 40; index++) kept.push(await addProxy(`kept-${index}`, fieldsOf(index)));
  const passing = [await addProxy("passing", fieldsOf(1))];

  const seen: string[] = [];
  let after: KeysetPosition | null = null;
  let turn = 0;
  do {
    const found = await store.list({ ...page, sort, limit: 3, after }, signal);
    seen.push(...found.items.map(({ id }) => id));
    after = found.next;
    turn += 1;
    await store.remove({ id: passing.shift()!, parentId: null }, firstRecordVersion);
    passing.push(
      await addProxy(`passing-${turn}`, fieldsOf(turn * 5)),
      await addProxy(`more-${turn}`, fieldsOf(turn * 11)),
    );
  } while (after !== null && turn < 200);
  expect(after).toBeNull();
  expect(new Set(seen).size).toBe(seen.length);
  expect(kept.filter((id) => !seen.includes(id))).toEqual([]);
});

test("small pages of a list together equal one long page, in the same order", async () => {
  const store = createProxyStore(database, lists);
  for (let index = 0; index < 25; index++)
    await addProxy(`edge-${index}`, {
      region: index % 3 === 0 ? null : `r${index % 4}`,
      latencyMsP95: index % 5 || null,
    });
  for (const sort of sorts) {
    const whole = await store.list({ ...page, sort, count: true }, signal);
    expect(whole.total).toBe(25);
    const ids: string[] = [];
    let after: KeysetPosition | null = null;
    do {
      const part = await store.list({ ...page, sort, limit: 4, after }, signal);
      ids.push(...part.items.map(({ id }) => id));
      after = part.next;
    } while (after !== null);
    expect(ids).toEqual(whole.items.map(({ id }) => id));
  }
});

test("a list rejects a cursor position that does not fit the sort as a bad request", async () => {
  const store = createProxyStore(database, lists);
  for (const after of [["x"], ["no time", randomUUID()], ["2026-01-01T00:00:00Z", "no id"], [null, randomUUID()]]) {
    await expect(store.list({ ...page, after }, signal)).rejects.toMatchObject({
      kind: "bad-request",
      code: "invalid-parameters",
      issues: [badCursorIssue],
    });
  }
});
