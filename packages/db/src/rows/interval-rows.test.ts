import { text as readText } from "node:stream/consumers";
import type { Filter, SearchParam } from "@reports/core/query";
import type { Aggregate, ReportTypeDefinition, RowRequest, ViewColumnType } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createTestDatabases, isFullTestRun } from "@reports/testing";
import * as fc from "fast-check";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { findUnusableReportTypes } from "./find-unusable-report-types.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowSourceReader } from "./report-source.ts";
import { createRowEstimator } from "./row-estimator.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = new AbortController();

const filter = (name: string, operator: Filter["operator"], value: Filter["value"], column: string): Filter => ({
  name,
  operator,
  value,
  columns: [column],
  description: name,
});
const figure = (key: string, kind: "duration" | "time", aggregate: Aggregate) => ({ key, title: key, kind, aggregate });

function typeOver(view: string, types: { readonly stay: ViewColumnType; readonly start: ViewColumnType }) {
  const { reportTypes } = defineReportTypes([
    {
      authority: "A",
      definition: {
        type: "STAYS",
        version: 1,
        title: "Stays",
        columns: [
          { key: "stay", title: "Stay", kind: "duration" },
          { key: "start", title: "Start", kind: "time" },
        ],
        filters: [
          filter("stayFrom", "from", "decimal", "stay"),
          filter("stayTo", "to", "decimal", "stay"),
          filter("stay", "in", "decimal", "stay"),
          filter("stayNot", "notIn", "integer", "stay"),
          filter("startFrom", "from", "time", "start"),
          filter("startTo", "to", "time", "start"),
          filter("startNot", "notIn", "time", "start"),
        ] as never,
        summary: {
          figures: [
            figure("sum", "duration", { kind: "sum", column: "stay" }),
            figure("mean", "duration", { kind: "avg", column: "stay" }),
            figure("longest", "duration", { kind: "max", column: "stay" }),
            figure("first", "time", { kind: "min", column: "start" }),
            figure("last", "time", { kind: "max", column: "start" }),
          ] as never,
        },
        rows: {
          kind: "view",
          view,
          id: "id",
          columns: { stay: { column: "stay", type: types.stay }, start: { column: "start", type: types.start } },
        },
      },
    },
  ]);
  return reportTypes[0]!.definition;
}

const stays = typeOver("stays", { stay: "interval", start: "time" });

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;
let reader: ReturnType<typeof createRowSourceReader>;
beforeAll(async () => {
  database = await cloneDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => undefined });
  reader = createRowSourceReader({ url: database.url, reuseMs: 180_000 });
  await client.unsafe(`
    create domain long as interval;
    create table stays (id serial primary key, stay interval, start time);
    create table long_stays (id serial primary key, stay long, start time, zoned timetz)`);
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function open(definition: ReportTypeDefinition, changes: Partial<RowRequest> = {}) {
  return reader.open({
    definition,
    columns: definition.columns,
    searchParam: {},
    sort: [],
    timezone: "UTC",
    statementTimeoutMs: 60_000,
    signal,
    ...changes,
  });
}

async function withPreviews<T>(
  use: (previews: ReturnType<typeof createReportPreviewReader>) => Promise<T>,
): Promise<T> {
  const pool = createDatabase({ url: database.url, max: 1 });
  const sources = { main: { url: database.url, engine: "postgres" } } as const;
  const limits = { connections: 1, deadlineMs: 60_000 };
  const previews = createReportPreviewReader(sources, limits, createRowEstimator(pool, new Map()));
  try {
    return await use(previews);
  } finally {
    await previews.close();
    await pool.close();
  }
}

const exactStays = [
  ["0", "0"],
  ["-1 hour -30 minutes", "-5400"],
  ["1 day 2 hours", "93600"],
  ["1 week", "604800"],
  ["1 day -1 hour", "82800"],
  ["0.000001", "0.000001"],
  ["-0.5", "-0.5"],
  ["100000 hours", "360000000"],
  ["2562047788:00:54.775807", "9223372036854.775807"],
] as const;

test("reports and previews return intervals as exact seconds", async () => {
  const shifts = ["00:00", "23:59:59.999999", "24:00", null];
  await client`delete from stays`;
  for (const [at, [stay]] of exactStays.entries())
    await client`insert into stays values (${at}, ${stay}, ${shifts[at % shifts.length]!})`;
  const starts = ["00:00:00", "23:59:59.999999", "24:00:00", null];
  const wanted = exactStays.map(([, seconds], at) => [seconds, starts[at % starts.length]!]);
  const body = await readText((await open(stays)).bytes);
  expect(body).toBe(wanted.map(([seconds, start]) => `${seconds},${start ?? ""}\n`).join(""));
  const request = { definition: stays, columns: stays.columns, searchParam: {}, sort: [], timezone: "UTC", limit: 100 };
  expect(await withPreviews(async (previews) => previews.readRows(request, signal))).toEqual(wanted);
});

describe("an interval without a fixed length", () => {
  const refusal = { code: "INVALID_DATA", message: expect.stringMatching(/^A value of stay is an interval of months/) };

  test.each(["1 month", "-2 years", "1 year -11 months", "30 days 1 month"])(
    "a report or preview with an interval of %s fails and names the column",
    async (stay) => {
      await client`delete from stays`;
      await client`insert into stays (stay, start) values ('1 hour', null), (${stay}, '08:00')`;
      const withoutSummary = await open(stays, { withSummary: false });
      await expect(readText(withoutSummary.bytes)).rejects.toMatchObject(refusal);
      await expect(open(stays)).rejects.toMatchObject(refusal);
      await expect(open(stays, { searchParam: { stayFrom: "5" } })).rejects.toMatchObject(refusal);
      const sort = [{ key: "stay", descending: true }];
      const request = { definition: stays, columns: stays.columns, searchParam: {}, sort, timezone: "UTC", limit: 5 };
      await expect(withPreviews(async (previews) => previews.readRows(request, signal))).rejects.toMatchObject(refusal);
    },
  );

  test("an interval without a fixed length does not fail a report that doesn't read it", async () => {
    await client`delete from stays`;
    await client`insert into stays (stay, start) values ('1 month', '08:00')`;
    const columns = stays.columns.filter(({ key }) => key === "start");
    expect(await readText((await open(stays, { columns, withSummary: false })).bytes)).toBe("08:00:00\n");
  });
});

test("findUnusableReportTypes names an interval column of another type and refuses timetz", async () => {
  const fault = async (definition: ReportTypeDefinition) => {
    const { unusable } = await findUnusableReportTypes([definition], {
      main: { url: database.url, engine: "postgres" },
    });
    return unusable.get("STAYS")?.message ?? null;
  };
  const over = (view: string, stay: ViewColumnType, column = "start") => {
    const definition = typeOver(view, { stay, start: "time" });
    const rows = definition.rows as Extract<ReportTypeDefinition["rows"], { kind: "view" }>;
    return { ...definition, rows: { ...rows, columns: { ...rows.columns, start: { column, type: "time" as const } } } };
  };
  expect(await fault(stays)).toBeNull();
  expect(await fault(over("long_stays", "interval"))).toBeNull();
  expect(await fault(over("long_stays", "numeric"))).toEqual(
    expect.stringContaining("long_stays.stay is long and not numeric"),
  );
  expect(await fault(over("long_stays", "interval", "zoned"))).toEqual(
    expect.stringContaining("long_stays.zoned is time with time zone and not time"),
  );
  await expect(open(over("long_stays", "interval", "zoned"))).rejects.toMatchObject({ because: "TYPE_UNUSABLE" });
});

test("a report type over a function can pass a time of day as a parameter", async () => {
  await client.unsafe(`
    create function stays_from(since time) returns setof stays stable language sql as 'select * from stays where start >= since';
    delete from stays; insert into stays (stay, start) values ('1 hour', '07:59:59.5'), ('2 hours', '24:00')`);
  const definition = typeOver("stays_from", { stay: "interval", start: "time" });
  const parameter = { name: "since", value: "time", description: "First time." } as const;
  const rows = { ...definition.rows, parameters: [parameter] } as ReportTypeDefinition["rows"];
  const filters = [...definition.filters, { ...parameter, operator: "parameter" as const, columns: [] }];
  const { bytes } = await open({ ...definition, filters, rows }, { searchParam: { since: "08:00:00" } });
  expect(await readText(bytes)).toBe("7200,24:00:00\n");
});

describe("filters, sorts and figures over intervals", () => {
  const stay = fc.oneof(
    fc.constantFrom("0", "1 day", "24:00:00", "-1 day 1 hour", "0.5", "100000 hours"),
    fc.integer({ min: -(10 ** 11), max: 10 ** 11 }).map((count) => `${count} microseconds`),
  );
  const clock = fc.constantFrom("00:00:00", "08:30:00", "08:30:00.5", "23:59:59.999999", "24:00:00");
  const rowsOf = fc.array(fc.tuple(fc.option(stay, { freq: 5 }), fc.option(clock, { freq: 5 })), { maxLength: 30 });
  const seconds = fc.constantFrom("0", "0.5", "-82800", "86400", "86400.5", "99999.999999");
  const givenFilter: fc.Arbitrary<readonly [SearchParam, string]> = fc.oneof(
    fc.constant([{}, "true"] as const),
    seconds.map((value) => [{ stayFrom: value }, `stay >= '${value} seconds'`] as const),
    seconds.map((value) => [{ stayTo: value }, `stay < '${value} seconds'`] as const),
    seconds.map((value) => [{ stay: [value, "86400"] }, `stay in ('${value} seconds', '1 day')`] as const),
    fc.constant([{ stayNot: [86_400] }, "stay is distinct from '1 day'"] as const),
    clock.map((value) => [{ startFrom: value }, `start >= '${value}'`] as const),
    clock.map((value) => [{ startTo: value }, `start < '${value}'`] as const),
    clock.map((value) => [{ startNot: [value] }, `start is distinct from '${value}'`] as const),
  );
  const sorts = fc.constantFrom(
    ["stay", "stay, start, id"],
    ["-stay", "stay desc nulls last, start, id"],
    ["start", "start, stay, id"],
    ["-start", "start desc nulls last, stay, id"],
  );

  test("filters, sorts and figures over intervals and times equal those of plain SQL", async () => {
    await fc.assert(
      fc.asyncProperty(rowsOf, givenFilter, sorts, async (rows, [searchParam, condition], [by, order]) => {
        await client`delete from stays`;
        if (rows.length > 0)
          await client`insert into stays ${client(rows.map(([stay, start], id) => ({ id, stay, start })))}`;
        const key = by.replace("-", "");
        const second = key === "stay" ? "start" : "stay";
        const sort = [
          { key, descending: by.startsWith("-") },
          { key: second, descending: false },
        ];
        const { bytes, summary } = await open(stays, { searchParam, sort });
        const ids = await client.unsafe(`select extract(epoch from stay) as stay, start::text as start
          from stays where ${condition} order by ${order}`);
        const shown = ids.map((row) => `${row["stay"] === null ? "" : Number(row["stay"])},${row["start"] ?? ""}\n`);
        const body = await readText(bytes);
        expect(body.replaceAll(/^[^,\n]+/gm, (text) => String(Number(text)))).toBe(shown.join(""));
        const [plain] = await client.unsafe(`select extract(epoch from sum(stay)) as sum,
          round(extract(epoch from sum(stay)) / nullif(count(stay), 0), 6) as mean, extract(epoch from max(stay)) as longest,
          min(start)::text as first, max(start)::text as last from stays where ${condition}`);
        const found = Object.fromEntries(summary.figures.map(({ key: name, value }) => [name, value]));
        for (const name of ["sum", "mean", "longest"] as const) {
          const expected = plain![name] as string | null;
          expect([name, found[name] === null ? null : Number(found[name])]).toEqual([
            name,
            expected === null ? null : Number(expected),
          ]);
        }
        expect([found["first"], found["last"]]).toEqual([plain!["first"], plain!["last"]]);
      }),
      { numRuns: isFullTestRun ? 60 : 20 },
    );
  });
});
