import { randomUUID } from "node:crypto";
import { domainInputSchema, proxyInputSchema } from "@reports/core/inventory";
import { newestFirstSort } from "@reports/core/record";
import type { SortKey } from "@reports/core/query";
import { createTestDatabases, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { toIsoTime } from "./row-decoder.ts";
import { createListConnectionPool, type ListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDomainStore, createProxyStore } from "./inventory-collections.ts";
import { createStatementCache } from "./statement-cache.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const page = { filters: {}, sort: newestFirstSort, limit: 50, after: null, count: false, parentId: null } as const;
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let owner: postgres.Sql;
/** `database` and `lists` have one connection each, whose prepared statements all queries share. */
let database: Database;
let lists: ListConnectionPool;
const { signal } = new AbortController();
const place = { id: randomUUID(), parentId: randomUUID() };

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  open();
  const proxy = { name: "edge-1", kind: "REVERSE", address: "edge-1.example.net", port: 443, protocol: "HTTPS" };
  await createProxyStore(database, lists).create({ id: place.parentId, parentId: null }, proxyInputSchema.parse(proxy));
  const domain = { hostname: "a.example.org", upstreamScheme: "HTTP", upstreamHost: "10.0.0.1", upstreamPort: 80 };
  await createDomainStore(database, lists).create(
    place,
    domainInputSchema.parse({ ...domain, tlsMode: "NONE", lastCheckedAt: "2026-01-02T03:04:05.678Z" }),
  );
  await close();
});
beforeEach(open);
afterEach(close);
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

function open(): void {
  database = createDatabase({ url: clone.url, max: 1 });
  lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 30_000 });
}

async function close(): Promise<void> {
  await Promise.all([database.close(), lists.close()]);
}

async function preparedBy(
  queries: Queries,
): Promise<readonly { readonly text: string; readonly generic: number; readonly custom: number }[]> {
  return queries.execute(
    sql`select statement as text, generic_plans::integer as generic, custom_plans::integer as custom
      from pg_prepared_statements where statement like '%"domains"%'`,
  );
}

test("each query is prepared once, and a list with filters is planned for its values", async () => {
  const store = createDomainStore(database, lists);
  for (let time = 0; time < 12; time++) {
    await store.find(place);
    await store.list(page, signal);
    await store.list({ ...page, filters: { status: ["ACTIVE"], q: "a" } }, signal);
  }
  const [record] = await database.query(preparedBy);
  expect(record!.generic + record!.custom).toBe(12);
  expect(record!.generic).toBeGreaterThan(0);
  const listed = await lists.read(preparedBy, signal);
  const ofPlain = listed.filter(({ text }) => !text.includes("ilike"));
  expect(ofPlain).toEqual([expect.objectContaining({ generic: 11, custom: 0 })]);
  expect(listed.filter((statement) => !ofPlain.includes(statement))).toEqual([
    expect.objectContaining({ generic: 0, custom: 11 }),
  ]);
});

test("a connection prepares at most fifty new kinds of list query per half hour", async () => {
  const store = createDomainStore(database, lists);
  for (let limit = 1; limit <= 60; limit++) {
    const sort: SortKey[] = [{ key: limit % 2 === 0 ? "hostname" : "status", descending: limit % 3 === 0 }];
    const filters = limit % 5 === 0 ? { status: ["ACTIVE"], q: "a" } : {};
    for (let time = 0; time < 2; time++) await store.list({ ...page, filters, sort, limit }, signal);
  }
  expect(await lists.read(preparedBy, signal)).toHaveLength(50);
});

describe("the statement cache of a list", () => {
  const cacheAt = (clock: { ms: number }) =>
    createStatementCache<string>({
      shapeOf: (query) => query,
      build: (query) => ({ text: query, toFilterValues: () => [] }),
      now: () => clock.ms,
    });

  test("a list's statement is prepared at its second use and stays so while it is used", () => {
    const cache = cacheAt({ ms: 0 });
    expect(["usual", "usual", "usual"].map((shape) => cache(shape).prepared)).toEqual([false, true, true]);
    const usual: boolean[] = [];
    for (let index = 0; index < 2_000; index++) {
      cache(`other ${index}`);
      cache(`other ${index}`);
      if (index % 20 === 0) usual.push(cache("usual").prepared);
    }
    expect(usual).not.toContain(false);
  });

  test("the cache of list statements prepares at most 50 new statements per half hour", () => {
    const clock = { ms: 0 };
    const cache = cacheAt(clock);
    for (const hour of [1, 2, 3]) {
      clock.ms = hour * 3_600_000;
      const shapes = Array.from({ length: 200 }, (_, index) => `${hour} ${index}`);
      const admitted = shapes.filter((shape) => [cache(shape), cache(shape)][1]!.prepared);
      expect(admitted).toHaveLength(50);
    }
  });
});

test("a connection's prepared queries still work after a migration changes their types", async () => {
  const store = createDomainStore(database, lists);
  const readBoth = async () => ({ found: await store.find(place), listed: await store.list(page, signal) });
  await readBoth();
  const before = await readBoth();
  const connected = await backends();
  await owner`alter table domains alter column upstream_port type bigint, alter column upstream_host type varchar(300), add root_cause text`;
  expect(await readBoth()).toEqual(before);
  expect(await readBoth()).toEqual(before);
  expect(await backends()).toEqual(connected);
  await owner`alter table domains alter column upstream_port type integer, alter column upstream_host type text, drop root_cause`;
  expect(await readBoth()).toEqual(before);
});

test("after a connection is lost, the next one prepares its statements again", async () => {
  const store = createDomainStore(database, lists);
  const before = await store.find(place);
  await owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'reports%'`;
  await waitFor(
    async () =>
      store.find(place).then(
        (found) => found !== null,
        () => false,
      ),
    { what: "a connection" },
  );
  expect(await store.find(place)).toEqual(before);
  expect(await database.query(preparedBy)).toHaveLength(1);
});

test("toIsoTime equals Date.toISOString for every text form of a time in Postgres", () => {
  const times = [
    "2026-01-31 08:00:00+00",
    "2026-01-31 08:00:00.1+00",
    "2026-02-28 00:00:00.057+00",
    "1969-12-31 23:59:59.5+00",
    "1000-01-01 00:00:00.001+00",
    "9999-12-31 23:59:59.999999+00",
    "2026-01-31 08:00:00+02",
    "2026-01-31 08:00:00.123+05:30",
  ];
  expect(times.map(toIsoTime)).toEqual(times.map((time) => new Date(time).toISOString()));
});

/** Returns the processes of the two connections. pg_stat_activity may still list those of the last test. */
async function backends(): Promise<readonly unknown[]> {
  const readPid = async (queries: Queries) => (await queries.execute(sql`select pg_backend_pid() as pid`))[0]!["pid"];
  return [await database.query(readPid), await lists.read(readPid, signal)];
}
