import { randomBytes } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { startInputFromBody, type ReportTypeDefinition, type ViewParameter, type ViewRows } from "@reports/core/report";
import { defineReportTypes, type FigureDefinition } from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { findUnusableReportTypes } from "./find-unusable-report-types.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowSourceReader } from "./report-source.ts";
import { createRowEstimator } from "./row-estimator.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const now = new Date("2026-03-10T22:30:00Z");

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;

beforeAll(async () => {
  clone = await cloneDatabase();
  client = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create schema ward;
    create table ward.stays (id integer, patient text, admitted date);
    insert into ward.stays values (1, 'Ada', '2026-03-01'), (2, 'Bo', '2026-03-10'), (3, 'Cy', '2026-03-11'), (4, 'Di', '2026-04-01');
    create function ward.stays_at(as_of date, first_id integer) returns table (id integer, patient text, admitted date) stable
      language sql as $$ select id, patient, admitted from ward.stays s where s.admitted <= as_of and s.id >= first_id $$;
    create function ward.all_stays() returns setof ward.stays stable language sql as $$ select * from ward.stays $$;
    create function ward.one_stay() returns ward.stays stable language sql as $$ select * from ward.stays $$;
    create function ward.fails() returns setof ward.stays stable language plpgsql as $$ begin raise 'called'; end $$;`);
});
afterAll(async () => {
  await client.end();
  await clone[Symbol.asyncDispose]();
});

const asOf: ViewParameter = { name: "asOf", value: "timestamp", type: "date", description: "Day of the stays." };
const least: ViewParameter = { name: "least", value: "integer", default: 1, description: "Least ID." };
const stays: ViewRows = {
  kind: "view",
  view: "ward.stays_at",
  parameters: [asOf, least],
  id: "id",
  columns: { id: { column: "id", type: "integer" }, patient: { column: "patient", type: "text" } },
};
const figure: FigureDefinition = { key: "sum", title: "Sum", kind: "bigint", aggregate: { kind: "sum", column: "id" } };

function typeOver(changes: Partial<ViewRows> = {}): ReportTypeDefinition {
  const rows = { ...stays, ...changes };
  const columns = Object.keys(rows.columns).map((key) => ({
    key,
    title: key,
    kind: key === "id" ? ("integer" as const) : ("text" as const),
  }));
  const definition = { type: "STAYS", version: 1, title: "Stays", columns, rows, summary: { figures: [figure] } };
  return defineReportTypes([{ definition: definition as never, authority: "A" }]).reportTypes[0]!.definition;
}

function requestOf(definition: ReportTypeDefinition, given: object, timezone = "UTC") {
  const { searchParam } = startInputFromBody(definition, { reportType: "STAYS", searchParam: given, timezone }, now);
  const request = { definition, columns: definition.columns, searchParam, sort: [{ key: "id", descending: false }] };
  return { ...request, timezone, statementTimeoutMs: 60_000, limit: 10, signal: new AbortController().signal };
}

async function read(request: ReturnType<typeof requestOf>) {
  const { bytes, rowsTotal, summary, warnings } = await createRowSourceReader({ url: clone.url }).open(request);
  return {
    rows: await readText(bytes),
    rowsTotal,
    sum: summary.figures[0]?.value,
    warnings: warnings?.map(({ code }) => code),
  };
}

async function problemOf(definition: ReportTypeDefinition, url = clone.url) {
  const { unusable, unknown } = await findUnusableReportTypes([definition], { main: { url, engine: "postgres" } });
  expect([...unknown]).toEqual([]);
  return unusable.get("STAYS") ?? null;
}

describe("rows of a function with parameters", () => {
  test("rows, total and figures of a function use the given and default parameters", async () => {
    expect(await problemOf(typeOver())).toBeNull();
    const day = "2026-03-10T12:00:00Z";
    const whole = { rows: "1,Ada\n2,Bo\n", rowsTotal: 2, sum: "3", warnings: [] };
    expect(await read(requestOf(typeOver(), { asOf: day }))).toEqual(whole);
    expect(await read(requestOf(typeOver(), { asOf: day, least: 2 }))).toMatchObject({ rows: "2,Bo\n", sum: "2" });
    const without = { view: "ward.all_stays", parameters: [] };
    expect(await read(requestOf(typeOver(without), {}))).toMatchObject({ rowsTotal: 4 });
  });

  test("a function's date parameter gets the day of an instant in the report's time zone", async () => {
    const request = (timezone: string) => requestOf(typeOver(), { asOf: "today" }, timezone);
    expect(await read(request("UTC"))).toMatchObject({ rowsTotal: 2 });
    expect(await read(request("Europe/Berlin"))).toMatchObject({ rowsTotal: 2 });
    expect(await read(request("Asia/Tokyo"))).toMatchObject({ rowsTotal: 3 });
    const byDay = typeOver({ parameters: [{ ...asOf, value: "date" }, least] });
    expect(await read(requestOf(byDay, { asOf: "today" }, "Asia/Tokyo"))).toMatchObject({ rowsTotal: 3 });
    expect(await read(requestOf(byDay, { asOf: "2026-03-10" }))).toMatchObject({ rowsTotal: 2 });
  });

  test("previews, forecasts and estimates pass parameter values to the function", async () => {
    const database = createDatabase({ url: clone.url, max: 1 });
    const sizes = createRowEstimator(database, new Map(), { timeoutMs: 60_000, countMs: 60_000 });
    const main = { url: clone.url, engine: "postgres" } as const;
    const previews = createReportPreviewReader({ main }, { connections: 1, deadlineMs: 60_000 }, sizes);
    try {
      const request = requestOf(typeOver(), { asOf: "2026-03-10T12:00:00Z" });
      const { definition, searchParam, signal } = request;
      expect(await previews.readRows(request, signal)).toEqual([
        ["1", "Ada"],
        ["2", "Bo"],
      ]);
      expect(await previews.forecast(request, signal)).toMatchObject({ rows: 2, rowsAre: "EXACT" });
      expect(await sizes.estimate(definition, searchParam, "UTC")).toBe(2);
    } finally {
      await Promise.all([previews.close(), database.close()]);
    }
  });

  test("a report without a value for a new parameter of its type fails permanently", async () => {
    const request = { ...requestOf(typeOver(), { asOf: "today" }), searchParam: {} };
    await expect(read(request)).rejects.toMatchObject({ code: "INVALID_DATA", message: /no value of asOf/ });
  });
});

const echoes = [
  [
    "text",
    undefined,
    "text",
    ["'; drop table ward.stays; --", "\\'", "$1", "a\nb", "💶 \u202e", "''", "x".repeat(255)],
  ],
  ["integer", undefined, "integer", [-2_147_483_648, 2_147_483_647]],
  ["integer", "bigint", "bigint", [Number.MAX_SAFE_INTEGER]],
  ["integer", "numeric", "numeric", [-1]],
  ["boolean", undefined, "boolean", [true, false]],
  ["timestamp", undefined, "timestamptz", ["1000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"]],
  ["date", undefined, "date", ["1000-01-01", "9999-12-31"]],
  ["decimal", undefined, "numeric", ["-0.05", "99999999999999999999.000000000000000001"]],
  ["uuid", undefined, "uuid", ["019a0000-0000-7000-8000-000000000001"]],
  ["uuid", "text", "text", ["019a0000-0000-7000-8000-000000000001"]],
  ["hostname", undefined, "text", ["xn--bcher-kva.example"]],
] as const;

test.each(echoes)(
  "a function receives each value of %s with the type %s unchanged",
  async (value, type, sql, values) => {
    const name = `echo_${value}_${sql}`;
    await client.unsafe(`create function ward.${name}(given ${sql}) returns table (id integer, patient text) stable
    language sql as $$ select 1, ${sql === "timestamptz" ? "to_char(given at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')" : "given::text"} $$`);
    const parameter = { name: "given", value, description: "Given.", ...(type === undefined ? {} : { type }) } as const;
    const definition = typeOver({ view: `ward.${name}`, parameters: [parameter] });
    expect(await problemOf(definition)).toBeNull();
    for (const given of values) {
      const request = requestOf(definition, { given });
      const { bytes } = await createRowSourceReader({ url: clone.url }).open({
        ...request,
        columns: [request.columns[1]!],
      });
      const cell = (await readText(bytes))
        .replace(/\n$/, "")
        .replace(/^"(.*)"$/s, "$1")
        .replaceAll('""', '"');
      expect(value === "timestamp" ? Date.parse(cell) : cell).toBe(
        value === "timestamp" ? Date.parse(given as string) : String(given),
      );
    }
    expect(await client`select from ward.stays`).toHaveLength(4);
  },
);

test("a start rejects parameter values that the SQL type cannot hold", () => {
  const start = (given: object) => () => requestOf(typeOver(), { asOf: "today", ...given });
  expect(start({ least: 2_147_483_648 })).toThrow("least must be an integer from -2147483648 to 2147483647");
  expect(start({ least: [1, 2] })).toThrow(/least/);
  expect(start({ asOf: "2026-02-30T00:00:00Z" })).toThrow(/asOf must be/);
  expect(() => requestOf(typeOver(), {})).toThrow("The filter asOf is required");
  const name: ViewParameter = { name: "name", value: "text", description: "Name." };
  const named = typeOver({ parameters: [name] });
  for (const text of ["a\0b", "", "\ud800", "x".repeat(256)])
    expect(() => requestOf(named, { name: text })).toThrow("name must be text");
});

describe("a function that does not fit its definition", () => {
  test.each([
    ["without the arguments", { parameters: [asOf] }, "VIEW_MISSING", "The function ward.stays_at(date) that returns"],
    ["with other arguments", { parameters: [{ ...asOf, type: "timestamptz" }, least] }, "VIEW_MISSING", "timestamptz"],
    ["that returns no set", { view: "ward.one_stay", parameters: [] }, "VIEW_MISSING", "returns a set of records"],
    ["that is a table", { view: "ward.stays", parameters: [] }, "VIEW_MISSING", "ward.stays()"],
    ["without a column", { id: "stay" }, "COLUMN_MISSING", "ward.stays_at(date,integer) has no column stay"],
    [
      "with a column of another type",
      { columns: { ...stays.columns, patient: { column: "admitted", type: "text" } } },
      "COLUMN_TYPE",
      "admitted is date and not text",
    ],
  ] as const)("a function %s makes its report type unusable", async (_, changes, code, message) => {
    const found = await problemOf(typeOver(changes));
    expect(found).toEqual({ code, message: expect.stringContaining(message) });
  });

  test("a report type over a function is unusable until the role may execute it", async () => {
    const role = `caller_${randomBytes(6).toString("hex")}`;
    await client.unsafe(`create role ${role} login password 'p'; grant usage on schema ward to ${role};
      revoke execute on function ward.stays_at from public`);
    const url = new URL(clone.url);
    url.username = role;
    url.password = "p";
    expect(await problemOf(typeOver(), url.href)).toMatchObject({
      code: "VIEW_NOT_READABLE",
      message: /grant execute on it/,
    });
    await client.unsafe(`grant execute on function ward.stays_at to ${role}; grant select on ward.stays to ${role}`);
    expect(await problemOf(typeOver(), url.href)).toBeNull();
    await client.unsafe(`drop owned by ${role}; drop role ${role}`);
  });

  test("findUnusableReportTypes does not call the function, and reports notice changed columns", async () => {
    expect(await problemOf(typeOver({ view: "ward.fails", parameters: [] }))).toBeNull();
    await client.unsafe(`create function ward.later() returns table (id integer, patient text) stable
      language sql as $$ select 1, 'Ada' $$`);
    const definition = typeOver({ view: "ward.later", parameters: [] });
    expect(await read(requestOf(definition, {}))).toMatchObject({ rows: "1,Ada\n" });
    await client.unsafe(`drop function ward.later; create function ward.later() returns table (id bigint, patient text)
      stable language sql as $$ select 1::bigint, 'Ada' $$`);
    await expect(read(requestOf(definition, {}))).rejects.toThrow(/type of id has changed/);
  });
});

test("with foreign tables in the database, a function with a text body has no snapshot", async () => {
  await client.unsafe(`
    create function ward.parsed() returns setof ward.stays stable language sql begin atomic select * from ward.stays; end;
    create extension postgres_fdw;
    create server far foreign data wrapper postgres_fdw;
    create foreign table ward.far_stays (id integer) server far`);
  const noSnapshot = { rowsTotal: null, warnings: ["SNAPSHOT_NOT_GLOBAL"] };
  const readOf = async (view: string) => read(requestOf(typeOver({ view, parameters: [] }), {}));
  expect(await readOf("ward.all_stays")).toMatchObject(noSnapshot);
  expect(await readOf("ward.parsed")).toMatchObject({ rowsTotal: 4, warnings: [] });
});
