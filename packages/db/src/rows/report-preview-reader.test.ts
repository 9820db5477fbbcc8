import { builtInReportTypes, type PreviewReader, type ReportTypeDefinition } from "@reports/core/report";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowEstimator } from "./row-estimator.ts";
import { createSourceDatabases, type SourceDatabases } from "./source-databases.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const [proxyReport] = builtInReportTypes as readonly [ReportTypeDefinition];
const { signal } = new AbortController();

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;
let database: Database;
let sourceDatabases: SourceDatabases;
let previews: PreviewReader & { close(): Promise<void> };

beforeAll(async () => {
  clone = await cloneDatabase();
  client = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create table items as select n as id, case when n <= 7 then 'OPEN' else 'PAID' end as state, now() as at
      from generate_series(1, 1000000) as n;
    create index on items (id);
    create index on items (state);
    create domain whole as integer;
    create view typed as select id::whole as id, state, at::timestamp as at from items;
    create view fitting as select id::whole as id, state::varchar as state, at from items;
    analyze items;`);
  const { username, password, host, pathname } = new URL(clone.url);
  const main = { url: clone.url, engine: "postgres" } as const;
  const sources = {
    copies: { url: `postgres://${username}:${password}@127.0.0.1:1,${host}${pathname}`, engine: "citus" },
    gone: { url: "postgres://nobody@127.0.0.1:1/none", engine: "postgres" },
  } as const;
  database = createDatabase({ url: clone.url, max: 2 });
  sourceDatabases = createSourceDatabases(sources, { connectMs: 60_000, deadlineMs: 60_000, countMs: 60_000 });
  const limits = { connections: 1, deadlineMs: 20_000 };
  previews = createReportPreviewReader({ main, ...sources }, limits, createRowEstimator(database, sourceDatabases));
});
afterAll(async () => {
  for (const each of [previews, database, ...sourceDatabases.values()]) await each.close();
  await client.end();
  await clone[Symbol.asyncDispose]();
});

function typeOver(view: string, source = "main", changes: Partial<ReportTypeDefinition> = {}): ReportTypeDefinition {
  return {
    ...proxyReport,
    type: "ITEMS",
    columns: [
      { key: "id", title: "Id", kind: "integer", width: 8 },
      { key: "state", title: "State", kind: "text", width: 8 },
      { key: "at", title: "At", kind: "timestamp", width: 8 },
    ],
    where: [],
    filters: [{ name: "state", operator: "in", value: "text", columns: ["state"], description: "" }],
    rows: {
      kind: "view",
      view,
      source,
      id: "id",
      columns: {
        id: { column: "id", type: "integer", nullable: false },
        state: { column: "state", type: "text" },
        at: { column: "at", type: "timestamptz" },
      },
    },
    ...changes,
  };
}

const requestOf = (definition: ReportTypeDefinition, timezone = "UTC") => ({
  definition,
  columns: definition.columns,
  searchParam: {},
  sort: [{ key: "id", descending: true }],
  timezone,
  limit: 2,
});

test("a preview returns the first rows of the report in its order", async () => {
  const rows = await previews.readRows(requestOf(typeOver("items")), signal);
  expect(rows.map(([id, state]) => [id, state])).toEqual([
    ["1000000", "PAID"],
    ["999999", "PAID"],
  ]);
});

test("a preview returns times in UTC in every report time zone", async () => {
  const first = await previews.readRows(requestOf(typeOver("items"), "Asia/Kolkata"), signal);
  const second = await previews.readRows(requestOf(typeOver("items")), signal);
  expect(first[0]![2]).toMatch(/\+00$/);
  expect(second).toEqual(first);
});

test("a preview reads the first host that answers, and rejects if none does", async () => {
  expect(await previews.readRows(requestOf(typeOver("items", "copies")), signal)).toHaveLength(2);
  await expect(previews.readRows(requestOf(typeOver("items", "gone")), signal)).rejects.toThrow(
    "Postgres cannot be used",
  );
  expect(
    await previews.forecast({ definition: typeOver("items", "gone"), searchParam: {}, timezone: "UTC" }, signal),
  ).toBeNull();
  expect(previews.covers(typeOver("items", "unnamed"))).toBe(false);
  expect(
    await previews.forecast({ definition: typeOver("items", "unnamed"), searchParam: {}, timezone: "UTC" }, signal),
  ).toBeNull();
});

test("a forecast counts rows if that is cheap; otherwise it asks the planner", async () => {
  const forecast = async (definition: ReportTypeDefinition, searchParam = {}) =>
    previews.forecast({ definition, searchParam, timezone: "UTC" }, signal);
  expect(await forecast(typeOver("items"), { state: ["OPEN"] })).toEqual({
    rows: 7,
    rowsAre: "EXACT",
    sourceMaxRows: null,
  });
  const whole = await forecast(typeOver("items"));
  expect(whole).toMatchObject({ rowsAre: "PLANNED", sourceMaxRows: null });
  expect(whole!.rows).toBeGreaterThan(900_000);
  const scattered = await forecast(typeOver("items", "copies"));
  expect(scattered).toEqual({ rows: null, rowsAre: null, sourceMaxRows: 5_000_000 });
  const fixed = typeOver("items", "main", { where: [{ column: "state", in: ["OPEN"] }] });
  expect(await forecast(fixed)).toMatchObject({ rows: 7, rowsAre: "EXACT" });
  expect(await forecast(typeOver("no_such_view"))).toBeNull();
});

test("a preview refuses a view whose column types have changed", async () => {
  await expect(previews.readRows(requestOf(typeOver("typed")), signal)).rejects.toMatchObject({
    name: "ReportNotServedError",
    because: "TYPE_UNUSABLE",
    message: "typed does not fit the report type ITEMS: the type of at has changed.",
  });
  await expect(previews.readRows(requestOf(typeOver("no_such_view")), signal)).rejects.toMatchObject({
    because: "TYPE_UNUSABLE",
  });
  expect(await previews.readRows(requestOf(typeOver("fitting")), signal)).toHaveLength(2);
});

test("a preview and a forecast reject with the reason of an already aborted signal", async () => {
  const left = AbortSignal.abort(new Error("left"));
  await expect(previews.readRows(requestOf(typeOver("items")), left)).rejects.toThrow("left");
  await expect(
    previews.forecast({ definition: typeOver("items"), searchParam: {}, timezone: "UTC" }, left),
  ).rejects.toThrow("left");
});
