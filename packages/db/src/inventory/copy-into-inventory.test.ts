import { createTestDatabases, generateDemoInventory } from "@reports/testing";
import { expect, test } from "vitest";
import postgres from "postgres";
import { copyIntoInventory, type CopyIntoInventoryOptions } from "./copy-into-inventory.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { drizzle } from "drizzle-orm/postgres-js";
import { asc } from "drizzle-orm";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

const generate = () => {
  const inventory = generateDemoInventory({
    seed: 7,
    proxies: 60,
    domains: 2_500,
    asOf: new Date("2026-11-01T00:00:00Z"),
  });
  return { proxies: [...inventory.proxies], domains: [...inventory.domains] };
};

test("copyIntoInventory stores every field unchanged, including unusual texts", async () => {
  await using database = await cloneDatabase();
  const inventory = generate();
  const odd = {
    ...inventory.proxies[0]!,
    description: "tab\t nl\n cr\r back\\slash \\N \\. é 😀",
    tags: ["{", "\\", '"', ",", "\n"],
  };
  inventory.proxies[0] = odd;
  const progress: number[] = [];
  const counts = await copyIntoInventory({
    databaseUrl: database.url,
    ...inventory,
    onProgress: (copied) => progress.push(copied.domains),
  });
  expect(counts).toEqual({ proxies: 60, domains: 2_500 });
  expect(progress.at(-1)).toBe(2_500);
  const client = postgres(database.url, { max: 1 });
  const queries = drizzle(client);
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  const asRow = (record: object) => ({
    ...record,
    revision: 1,
    observations: 0,
    configuredAt: null,
    deletedAt: null,
  });
  expect(await queries.select().from(proxies).orderBy(asc(proxies.id))).toEqual(
    inventory.proxies.toSorted(byId).map(asRow),
  );
  expect(await queries.select().from(domains).orderBy(asc(domains.id))).toEqual(
    inventory.domains.toSorted(byId).map(asRow),
  );
  await client.end();
});

test("copyIntoInventory loads nothing after a duplicate, a bad record or an abort", async () => {
  await using database = await cloneDatabase();
  const inventory = generate();
  const load = (changed: Partial<Pick<CopyIntoInventoryOptions, "proxies" | "domains">>) =>
    copyIntoInventory({ databaseUrl: database.url, ...inventory, ...changed });
  await expect(
    load({ domains: [...inventory.domains, { ...inventory.domains[0]!, id: inventory.proxies[0]!.id }] }),
  ).rejects.toMatchObject({
    issues: [{ code: "taken" }],
  });
  await expect(load({ proxies: [{ ...inventory.proxies[0]!, port: 0 }] })).rejects.toMatchObject({
    issues: [{ code: "rule" }],
  });
  const failing = async function* () {
    yield* inventory.domains.slice(0, 10);
    throw new Error("the file ended in the middle");
  };
  await expect(load({ domains: failing() })).rejects.toThrow("in the middle");
  const stop = new AbortController();
  const reason = new Error("interrupted");
  await expect(
    copyIntoInventory({
      databaseUrl: database.url,
      ...inventory,
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    }),
  ).rejects.toBe(reason);
  const client = postgres(database.url, { max: 1 });
  const [row] = await client`select (select count(*) from proxies)::int + (select count(*) from domains)::int as rows`;
  await client.end();
  expect(row).toEqual({ rows: 0 });
  expect(await load({})).toEqual({ proxies: 60, domains: 2_500 });
});

test("a load into an empty inventory restores every index and constraint", async () => {
  await using database = await cloneDatabase();
  const client = postgres(database.url, { max: 1 });
  const rules = () =>
    client`
      select indexdef as definition from pg_indexes where tablename in ('proxies', 'domains')
      union all
      select conname || pg_get_constraintdef(oid) from pg_constraint where conrelid in ('proxies'::regclass, 'domains'::regclass)
      order by definition`;
  const before = [...(await rules())];
  await copyIntoInventory({ databaseUrl: database.url, ...generate() });
  expect([...(await rules())]).toEqual(before);
  await client.end();
});
