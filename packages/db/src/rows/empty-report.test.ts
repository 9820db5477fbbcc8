import { builtInReportTypes, type ReportTypeDefinition, type RowRequest } from "@reports/core/report";
import { createTestDatabases } from "@reports/testing";
import { text as readText } from "node:stream/consumers";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPgClient, readTextRows } from "../database/pg-connection.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createRowSourceReader } from "./report-source.ts";
import { buildSummaryQueries } from "./report-summary.ts";
import { conformanceRowsSql, conformanceType } from "./source-conformance.fixture.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const types = [...builtInReportTypes, conformanceType];

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  client = postgres(clone.url, { max: 1 });
  await client.unsafe(`create schema report_source_test;
    create table report_source_test.conformance as ${conformanceRowsSql} with no data`);
});
afterAll(async () => {
  await client.end();
  await clone[Symbol.asyncDispose]();
});

const requestOf = (definition: ReportTypeDefinition): RowRequest => ({
  definition,
  columns: definition.columns,
  searchParam: {},
  sort: definition.defaultSort,
  timezone: "UTC",
  statementTimeoutMs: 60_000,
  signal: new AbortController().signal,
});

const lastQueries = async (): Promise<readonly { pid: number; query: string }[]> =>
  client`
    select pid, query from pg_stat_activity
    where datname = current_database() and application_name = 'reports-rows' and state = 'idle'`;

test.each(types)("emptyResults of $type equal what Postgres returns for a report without rows", async (definition) => {
  const asked = buildSummaryQueries(requestOf(definition));
  const connection = await connectPgClient(
    { url: clone.url, database: "service", connectTimeoutMs: 5_000, applicationName: "reports-test" },
    null,
  );
  const results = [];
  for (const query of asked.queries) results.push(await readTextRows(connection, query));
  await connection.end();
  expect(asked.emptyResults).toEqual(results);
  const rows = await createRowSourceReader({ url: clone.url }).open(requestOf(definition));
  expect([rows.rowsTotal, await readText(rows.bytes)]).toEqual([0, ""]);
  expect(rows.summary).toEqual(asked.read(results));
});

test("a report without rows sends no query after the count and reuses its connection", async () => {
  // Postgres lists the connections of earlier tests until their processes have ended.
  await expect.poll(lastQueries).toEqual([]);
  const source = createRowSourceReader({ url: clone.url, reuseMs: 60_000 });
  const pids = [];
  for (const definition of types) {
    const { bytes } = await source.open(requestOf(definition));
    const [last, ...others] = await lastQueries();
    expect([last!.query, others]).toEqual(["commit", []]);
    expect(await readText(bytes)).toBe("");
    pids.push(last!.pid);
  }
  expect(new Set(pids).size).toBe(1);
});

test("over an engine without snapshots, a report reads its rows even if the count is 0", async () => {
  const source = createRowSourceReader({ url: clone.url, reuseMs: 60_000, engine: "pg_clickhouse" });
  const { bytes, rowsTotal } = await source.open(requestOf(conformanceType));
  expect([rowsTotal, await readText(bytes)]).toEqual([null, ""]);
  expect((await lastQueries()).map(({ query }) => query)).toContainEqual(expect.stringMatching(/^copy .*commit$/s));
});
