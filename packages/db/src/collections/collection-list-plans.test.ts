import { createTestCaseDivider, createTestDatabases, generateDemoInventory } from "@reports/testing";
import { domainsCollection } from "@reports/core/inventory";
import { maxExactRecordCount, type CollectionQuery, type KeysetPosition } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyIntoInventory } from "../inventory/copy-into-inventory.ts";
import type { Queries } from "../database/queries.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { compileFilters } from "../relations/compile-filters.ts";
import { domainsRelation } from "../relations/domains-relation.ts";
import { createDomainStore } from "./inventory-collections.ts";
import { measureStatementCost, readThrough } from "./statement-cost.fixture.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const limit = 20;
const { signal } = new AbortController();
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let owner: postgres.Sql;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  await copyIntoInventory({ databaseUrl: clone.url, ...generateDemoInventory({ domains: 20_000 }) });
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await owner.unsafe("vacuum (analyze) domains, proxies");
}, 120_000);
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

const selectDirections = createTestCaseDivider();
test.each(
  ["createdAt", "certNotAfter", "hostname"].flatMap((key) =>
    selectDirections([false, true], 2).map((descending) => [key, descending] as const),
  ),
)("a page of domains by %s (descending: %s) reads at most 6 rows per shown row", async (key, descending) => {
  const [row] =
    await owner`select count(*)::integer as found from domains where cert_not_after is not null and deleted_at is null`;
  const query = { filters: {}, sort: [{ key, descending }], limit, after: null, count: false, parentId: null };
  const read = async (after: CollectionQuery["after"]) =>
    measureStatementCost(owner, async (database) =>
      createDomainStore(database, database).list({ ...query, after }, signal),
    );
  const database = readThrough(owner);
  const size = Number(row!["found"]) - 5;
  const nearEnd = await createDomainStore(database, database).list({ ...query, limit: size }, signal);
  let after: KeysetPosition | null = null;
  for (const next of [null, nearEnd.next, undefined, undefined]) {
    if (next !== undefined) after = next;
    const page: Awaited<ReturnType<typeof read>> = await read(after);
    // After a cursor, Postgres reads one branch per sort term. Each branch reads `limit` + 1 index entries, and the proxy and the complete row of
    // each.
    expect(page.cost).toEqual({ ...page.cost, otherScans: [] });
    expect(page.cost.rows).toBeLessThanOrEqual(6 * (limit + 1));
    expect(page.cost.blocks).toBeLessThanOrEqual(24 * (limit + 1));
    expect(page.result.items).toHaveLength(limit);
    after = page.result.next;
  }
});

test.each([
  { severity: ["EXPIRED"] },
  { severity: ["CRITICAL", "WARN"] },
  { severity: ["OK"] },
  { issue: ["CERT_EXPIRED"] },
])("Postgres estimates within a factor of 4 how many domains match %o", async (given) => {
  const queries: Queries = drizzle(owner);
  const matching = sql`select 1 from ${domainsRelation.from} where ${compileFilters(domainsRelation, domainsCollection.filters, given)}`;
  const [plan] = await queries.execute(sql`explain (format json) ${matching}`);
  const [found] = await queries.execute(sql`select count(*)::integer as found from (${matching}) matching`);
  const estimated = (plan!["QUERY PLAN"] as [{ readonly Plan: { readonly "Plan Rows": number } }])[0].Plan["Plan Rows"];
  expect(estimated).toBeGreaterThan(Number(found!["found"]) / 4);
  expect(estimated).toBeLessThan(Number(found!["found"]) * 4);
});

test("the total of a list stops at maxExactRecordCount + 1, without reading the other rows", async () => {
  const query = {
    filters: {},
    sort: [{ key: "createdAt", descending: true }],
    limit,
    after: null,
    count: true,
    parentId: null,
  };
  const [row] = await owner`select count(*)::integer as active from domains where deleted_at is null`;
  expect(row!["active"]).toBeGreaterThan(12_000);
  const all = await measureStatementCost(owner, async (database) =>
    createDomainStore(database, database).list(query, signal),
  );
  expect(all.result.total).toBe(maxExactRecordCount + 1);
  expect(all.cost.rows).toBeLessThan(row!["active"]);
});
