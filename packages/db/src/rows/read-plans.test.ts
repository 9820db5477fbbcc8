import { randomBytes } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { defineReportTypes, type ReportTypeInput } from "@reports/core/report-type";
import type { QueryPlanReader, ReportTypeDefinition } from "@reports/core/report";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openQueryPlanReader } from "./read-plans.ts";
import { createRowSourceReader } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

const orders = {
  type: "ORDERS",
  version: 1,
  title: "Orders",
  columns: [
    { key: "name", title: "Name", kind: "text" },
    { key: "size", title: "Size", kind: "integer" },
    { key: "tags", title: "Tags", kind: "list" },
  ],
  filters: [
    { name: "name", operator: "in", value: "text", columns: ["name"], description: "Names." },
    { name: "size", operator: "in", value: "integer", columns: ["size"], description: "Sizes." },
  ],
  summary: { figures: [{ key: "sum", title: "Sum", kind: "bigint", aggregate: { kind: "sum", column: "size" } }] },
  rows: {
    kind: "view",
    view: "shop.orders",
    id: "id",
    columns: {
      name: { column: "name", type: "text", rankedBy: "id" },
      size: { column: "size", type: "integer" },
      tags: { column: "tags", type: "text[]" },
      empty: { column: "empty", type: "date" },
    },
    living: { column: "removed_at", isNull: true },
  },
} as const satisfies ReportTypeInput;

function typeOver(view: string): ReportTypeDefinition {
  const definition = { ...orders, rows: { ...orders.rows, view } };
  return defineReportTypes([{ definition, authority: "A" }]).reportTypes[0]!.definition;
}

const rowsOf = (definition: ReportTypeDefinition, searchParam = {}) => ({
  definition,
  columns: definition.columns,
  searchParam,
  sort: [{ key: "size", descending: true }],
  timezone: "UTC",
});

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;
let plans: QueryPlanReader;

beforeAll(async () => {
  clone = await cloneDatabase();
  client = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create schema shop;
    create table shop.orders (id integer primary key, name text, size integer, tags text[], empty date, removed_at date, secret text);
    insert into shop.orders select i, 'it''s ' || i, i % 1000, array['first', i::text], null, case when i = 1 then now() end from generate_series(1, 150000) i;
    create index orders_name on shop.orders (name);
    create index orders_size on shop.orders (size desc nulls last, id desc) where removed_at is null;
    analyze shop.orders;
    create table shop.plain as select * from shop.orders;
    analyze shop.plain;
    create table shop.unknown (like shop.orders) with (autovacuum_enabled = off);
    create function shop.written() returns integer language sql as $$ insert into shop.unknown (id) values (1) returning id $$;
    create view shop.writes as select o.*, shop.written() as now from shop.orders o;`);
  plans = await openQueryPlanReader({ url: clone.url, engine: "postgres" }, { timeoutMs: 60_000 });
}, 60_000);
afterAll(async () => {
  plans.close();
  await client.end();
  await clone[Symbol.asyncDispose]();
});

test("explain returns the scanned tables and used indexes with their row numbers", async () => {
  const { reads } = await plans.explain(rowsOf(typeOver("shop.orders"), { name: ["it's 7"] }));
  expect(reads).toEqual([{ kind: "index", index: "orders_name", rows: 1 }]);
  const plain = await plans.explain(rowsOf(typeOver("shop.plain")));
  expect(plain.reads).toEqual([{ kind: "sequential-scan", relation: "shop.plain", rows: 150_000 }]);
  expect(plain.sortedRows).toHaveLength(1);
});

test("explain multiplies the rows of a sort by the number of parallel processes", async () => {
  const parallel = new URL(clone.url);
  const settings = [
    "parallel_setup_cost=0",
    "parallel_tuple_cost=0",
    "min_parallel_table_scan_size=0",
    "max_parallel_workers_per_gather=2",
  ];
  parallel.searchParams.set("options", settings.map((setting) => `-c ${setting}`).join(" "));
  const reader = await openQueryPlanReader({ url: parallel.href, engine: "postgres" }, { timeoutMs: 60_000 });
  // Postgres's plan has the rows per process, about 62,500. `sortedRows` must have the rows of all processes, about 150,000.
  const { sortedRows } = await reader.explain(rowsOf(typeOver("shop.plain")));
  reader.close();
  expect(sortedRows).toHaveLength(1);
  expect(sortedRows[0]).toBeGreaterThan(130_000);
  expect(sortedRows[0]).toBeLessThan(170_000);
});

test("explain returns null rows for a table that was never analysed", async () => {
  const { reads } = await plans.explain(rowsOf(typeOver("shop.unknown")));
  expect(reads).toEqual([{ kind: "sequential-scan", relation: "shop.unknown", rows: null }]);
});

test("explain runs no query, and sampleValues runs in a read-only session", async () => {
  const keys = ["name", "size", "tags", "empty"];
  await plans.explain(rowsOf(typeOver("shop.writes")));
  await expect(plans.sampleValues(rowsOf(typeOver("shop.writes")), keys)).rejects.toThrow(/read-only transaction/);
  const definition = typeOver("shop.orders");
  const sampled = await plans.sampleValues(rowsOf(definition), keys);
  expect([...sampled.keys()]).toEqual(["name", "size", "tags"]);
  expect(sampled.get("tags")).toBe("first");
  const hostile = "'; insert into shop.unknown (id) values (2); --";
  expect((await plans.explain(rowsOf(definition, { name: [hostile, "$1"] }))).rows).toBeLessThan(10);
  expect(await client`select from shop.unknown`).toEqual([]);
});

test("a report of the first rows and its figures need rights only on its columns", async () => {
  const role = `reader_${randomBytes(6).toString("hex")}`;
  await client.unsafe(`create role ${role} login password 'p'; grant usage on schema shop to ${role};
    grant select (id, name, size, tags, empty, removed_at) on shop.orders to ${role}`);
  const url = new URL(clone.url);
  url.username = role;
  url.password = "p";
  const stream = await createRowSourceReader({ url: url.href }).open({
    ...rowsOf(typeOver("shop.orders"), { size: [998, 999] }),
    firstRows: 160,
    statementTimeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  const lines = (await readText(stream.bytes)).trim().split("\n");
  expect(stream.rowsTotal).toBe(160);
  expect([lines.length, lines[0], lines[159]]).toEqual([
    160,
    `it's 149999,999,"{first,149999}"`,
    `it's 140998,998,"{first,140998}"`,
  ]);
  expect(stream.summary).toMatchObject({ figures: [{ key: "sum", value: String(150 * 999 + 10 * 998) }] });
  await client.unsafe(`drop owned by ${role}; drop role ${role}`);
});
