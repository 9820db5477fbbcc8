import { domainsCollection, proxiesCollection } from "@reports/core/inventory";
import { reportSortFields } from "@reports/core/report";
import type { CollectionPage, CollectionQuery, SortKey } from "@reports/core/query";
import { createSeededRandom, createTestCaseDivider, createTestDatabases } from "@reports/testing";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { createListConnectionPool, type ListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDomainStore, createProxyStore } from "./inventory-collections.ts";
import { createReportLists } from "../reports/report-list.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { reports } from "../schema/reports.ts";
import { insertListTestRows } from "../reports/insert-list-test-rows.fixture.ts";

const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const random = createSeededRandom(20_261_121, 1, 1);
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let database: Database;
let lists: ListConnectionPool;
const { signal } = new AbortController();
let owner: postgres.Sql;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  database = createDatabase({ url: clone.url });
  lists = createListConnectionPool({ url: clone.url, deadlineMs: 30_000 });
  owner = postgres(clone.url, { max: 1 });
  await insertListTestRows(owner);
});
afterAll(async () => {
  await owner.end();
  await database.close();
  await lists.close();
  await clone[Symbol.asyncDispose]();
});

interface ListUnderTest {
  readonly sorts: readonly string[];
  readonly from: string;
  readonly columns?: Readonly<Record<string, string>>;
  list(query: CollectionQuery): Promise<CollectionPage<{ readonly id: string }>>;
  readonly disturbance: string;
}

const parentId = "00000000-0000-7000-8000-000000000001";
const proxyColumns = { health: "array_position(array['DOWN', 'DEGRADED', 'UNKNOWN', 'UP'], p.health)" };
const domainColumns = {
  proxyName: "p.name",
  proxyRegion: "p.region",
  proxyEnvironment: "p.environment",
  proxyOwnerTeam: "p.owner_team",
};
const domainsFrom = "domains d join proxies p on p.id = d.proxy_id where d.deleted_at is null and p.deleted_at is null";
const disturbed = (table: string, changes: string): string =>
  `update ${table} set ${changes} where id in (select id from ${table} where right(id::text, 1) in ('1', '3', '5', '7', '9') order by random() limit 5)`;

const walks: Readonly<Record<string, ListUnderTest>> = {
  proxies: {
    sorts: proxiesCollection.sortable,
    from: "proxies p where p.deleted_at is null",
    columns: proxyColumns,
    list: async (query) => createProxyStore(database, lists).list({ ...query, parentId: null }, signal),
    disturbance: disturbed(
      "proxies",
      "region = case when region is null then 'a' end, port = 1 + (random() * 1000)::integer, updated_at = now(), latency_ms_p95 = case when random() < 0.5 then 3 end",
    ),
  },
  "domains across proxies": {
    sorts: domainsCollection.acrossParents!.sortable,
    from: domainsFrom,
    columns: domainColumns,
    list: async (query) => createDomainStore(database, lists).list({ ...query, parentId: null }, signal),
    disturbance: disturbed(
      "domains",
      "requests_24h = case when requests_24h is null then 7 end, last_checked_at = case when random() < 0.5 then now() end, deleted_at = case when random() < 0.3 then now() end",
    ),
  },
  "domains of a proxy": {
    sorts: domainsCollection.sortable,
    from: `${domainsFrom} and p.id = '${parentId}'`,
    list: async (query) => createDomainStore(database, lists).list({ ...query, parentId }, signal),
    disturbance: disturbed("domains", "requests_24h = case when requests_24h is null then 7 end, updated_at = now()"),
  },
  reports: {
    sorts: reportSortFields,
    from: "reports d where d.deleted_at is null and d.report_type in ('COMMON', 'RARE')",
    list: async (query) =>
      createReportLists(lists).list(
        { ...query, visible: { reportTypes: ["RARE", "COMMON", "NEVER"], requestedBy: null } },
        signal,
      ),
    disturbance: disturbed(
      "reports",
      "finished_at = case when finished_at is null then now() end, deleted_at = case when random() < 0.3 then now() end",
    ),
  },
};

const selectSorts = createTestCaseDivider();

function sortsOf({ sorts }: ListUnderTest): readonly SortKey[][] {
  const alone = sorts.flatMap((key) => [[{ key, descending: false }], [{ key, descending: true }]]);
  const together = Array.from({ length: 15 }, () => {
    const keys = new Set(Array.from({ length: 1 + random.integer(1, 3) }, () => random.pick(sorts)));
    return [...keys].map((key) => ({ key, descending: random.chance(0.5) }));
  });
  // The two tests of a list get different shares.
  return selectSorts([...alone, ...together], 6);
}

async function walk(
  { list }: ListUnderTest,
  sort: readonly SortKey[],
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  let after: CollectionPage<unknown>["next"] = null;
  do {
    const page = await list({ filters: {}, sort, limit: random.integer(3, 17), after, count: false });
    seen.push(...page.items.map(({ id }) => id));
    after = page.next;
    await between();
  } while (after !== null);
  return seen;
}

async function sorted({ from, columns = {} }: ListUnderTest, sort: readonly SortKey[]): Promise<string[]> {
  const [alias, table] = from.startsWith("proxies")
    ? ["p", proxies]
    : ["d", from.startsWith("reports") ? reports : domains];
  const columnOf = (key: string): string =>
    columns[key] ?? `${alias}.${(table as unknown as Record<string, AnyPgColumn>)[key]!.name}`;
  const terms = sort.map(({ key, descending }) => `${columnOf(key)} ${descending ? "desc" : "asc"} nulls last`);
  const tie = `${alias}.id ${sort.at(-1)!.descending ? "desc" : "asc"}`;
  const rows = await owner.unsafe<{ id: string }[]>(
    `select ${alias}.id from ${from} order by ${[...terms, tie].join(", ")}`,
  );
  return rows.map(({ id }) => id);
}

const names = Object.keys(walks);

test.each(names)("pages of %s under any sort equal one sorted query, with ties broken by ID", async (name) => {
  const list = walks[name]!;
  for (const sort of sortsOf(list)) expect([sort, await walk(list, sort)]).toEqual([sort, await sorted(list, sort)]);
});

test.each(names)("a walk through %s while it changes shows each unchanged record once, in order", async (name) => {
  const list = walks[name]!;
  for (const sort of sortsOf(list)) {
    const before = await sorted(list, sort);
    const seen = await walk(list, sort, async () => owner.unsafe(list.disturbance));
    const steady = before.filter((id) => "02468".includes(id.at(-1)!));
    expect([sort, seen.filter((id) => steady.includes(id))]).toEqual([sort, steady]);
  }
});
