import type { ReportTypeDefinition } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRowSourceReader } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

let shard: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;

beforeAll(async () => {
  [shard, database] = [await cloneDatabase(), await cloneDatabase()];
  const remote = new URL(shard.url);
  const other = postgres(shard.url, { max: 1, onnotice: () => undefined });
  await other.unsafe("create table amounts (id integer, amount integer); insert into amounts values (1, 10), (2, 20);");
  await other.end();
  client = postgres(database.url, { max: 1, onnotice: () => undefined });
  const name = remote.pathname.slice(1);
  await client.unsafe(`
    create extension postgres_fdw;
    create extension dblink;
    create server shard foreign data wrapper postgres_fdw options (host '${remote.hostname}', port '${remote.port}', dbname '${name}');
    create user mapping for current_user server shard options (user '${remote.username}', password '${remote.password}');
    create foreign table remote_amounts (id integer, amount integer) server shard options (table_name 'amounts');
    create table local_amounts (id integer, amount integer);
    insert into local_amounts values (3, 30);
    create view foreign_view as select * from remote_amounts union all select * from local_amounts;
    create view nested_view as select id, amount from (select * from foreign_view) inner_rows where id > 0;
    create table parts (id integer, amount integer) partition by range (id);
    create table parts_here partition of parts for values from (3) to (10);
    insert into parts values (3, 30);
    create foreign table parts_there partition of parts for values from (1) to (3) server shard options (table_name 'amounts');
    create view parts_view as select * from parts;
    create table ancestors (id integer, amount integer);
    create foreign table descendants () inherits (ancestors) server shard options (table_name 'amounts');
    create view inherited_view as select * from ancestors;
    create function amounts_of() returns setof local_amounts language sql begin atomic select id, amount from remote_amounts; end;
    create view function_view as select * from amounts_of();
    create view dblink_view as select id, amount from dblink('host=${remote.hostname} port=${remote.port} dbname=${name} user=${remote.username} password=${remote.password}',
      'select id, amount from amounts') as linked(id integer, amount integer);
    create materialized view copied_view as select * from remote_amounts;
    create view view_of_copy as select * from copied_view;
    create view local_view as select * from local_amounts;`);
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
  await shard[Symbol.asyncDispose]();
});

function typeOver(view: string): ReportTypeDefinition {
  return defineReportTypes([
    {
      authority: "A",
      definition: {
        type: "AMOUNTS",
        version: 1,
        title: "Amounts",
        columns: [
          { key: "id", title: "ID", kind: "integer" },
          { key: "amount", title: "Amount", kind: "integer" },
        ],
        rows: {
          kind: "view",
          view,
          id: "id",
          columns: { id: { column: "id", type: "integer" }, amount: { column: "amount", type: "integer" } },
        },
      },
    },
  ]).reportTypes[0]!.definition;
}

async function open(view: string) {
  const definition = typeOver(view);
  const { rowsTotal, warnings, bytes } = await createRowSourceReader({ url: database.url }).open({
    definition,
    columns: definition.columns,
    searchParam: {},
    sort: [],
    timezone: "UTC",
    statementTimeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  const rows = (await bytes.toArray()).map(String).join("").split("\n").length - 1;
  return { rows, rowsTotal, warnings: warnings?.map(({ code }) => code) };
}

test.each([
  ["a view of a foreign table", "foreign_view", 3],
  ["a view of a view of a foreign table", "nested_view", 3],
  ["a foreign table", "remote_amounts", 2],
  ["a partitioned table with a foreign partition", "parts", 3],
  ["a view of a table with a foreign partition", "parts_view", 3],
  ["a view of a table with a foreign child", "inherited_view", 2],
  ["a view of a function over a foreign table", "function_view", 2],
  ["a view by dblink", "dblink_view", 2],
])("a report of %s warns of a missing snapshot and has no total", async (_, view, rows) => {
  expect(await open(view)).toEqual({ rows, rowsTotal: null, warnings: ["SNAPSHOT_NOT_GLOBAL"] });
});

test.each([
  ["a table", "local_amounts", 1],
  ["a view of a table", "local_view", 1],
  ["a materialised copy of a foreign table", "copied_view", 2],
  ["a view of a materialised copy", "view_of_copy", 2],
])("a report of %s has an exact total and no snapshot warning", async (_, view, rows) => {
  expect(await open(view)).toEqual({ rows, rowsTotal: rows, warnings: [] });
});
