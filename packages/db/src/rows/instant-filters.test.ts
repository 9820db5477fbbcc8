import { text as readText } from "node:stream/consumers";
import { resolveRelativeDay, resolveRelativeTime, type SearchParam } from "@reports/core/query";
import type { ReportTypeDefinition, ViewRows } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import * as fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { compileFilters } from "../relations/compile-filters.ts";
import { bindNullParameter, createViewRelation } from "../relations/view-relation.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowEstimator } from "./row-estimator.ts";
import { toBoundQuery } from "./report-query.ts";
import { createRowSourceReader } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = new AbortController();

const [definition] = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "DUE",
      version: 1,
      title: "Due",
      columns: [
        { key: "day", title: "Day", kind: "date" },
        { key: "at", title: "At", kind: "timestamp" },
      ],
      filters: [
        { name: "dayFrom", operator: "from", value: "timestamp", columns: ["day"], description: "From." },
        { name: "dayTo", operator: "to", value: "timestamp", columns: ["day"], description: "To." },
        { name: "dueFrom", operator: "from", value: "date", columns: ["day"], description: "From." },
        { name: "dueTo", operator: "to", value: "date", columns: ["day"], description: "To." },
        { name: "due", operator: "in", value: "date", columns: ["day"], description: "Days." },
        { name: "dueNot", operator: "notIn", value: "date", columns: ["day"], description: "Not on these days." },
        { name: "dayAt", operator: "in", value: "timestamp", columns: ["day"], description: "Days of these times." },
        { name: "atFrom", operator: "from", value: "timestamp", columns: ["at"], description: "From." },
        { name: "atTo", operator: "to", value: "timestamp", columns: ["at"], description: "To." },
      ],
      rows: {
        kind: "view",
        view: "due",
        id: "id",
        columns: { day: { column: "day", type: "date" }, at: { column: "at", type: "timestamptz" } },
      },
    },
  },
]).reportTypes.map(({ definition: made }) => made) as [ReportTypeDefinition];

const rowCount = 800;
const relation = createViewRelation(definition.rows as ViewRows, bindNullParameter);
let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  database = await cloneDatabase();
  const client = postgres(database.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create table due (id integer primary key, day date, at timestamptz);
    insert into due select n, case when n % 10 > 0 then date '2024-11-01' + n end,
        case when n % 10 > 0 then timestamptz '2024-11-01Z' + n * interval '24 hours 7 minutes' end
      from generate_series(1, ${rowCount}) n;`);
  await client.end();
});
afterAll(async () => database[Symbol.asyncDispose]());

const columnsOf = (key: string) => definition.columns.filter((column) => column.key === key);

async function readColumn(key: string, searchParam: SearchParam, timezone: string): Promise<readonly string[]> {
  const { bytes } = await createRowSourceReader({ url: database.url }).open({
    definition,
    columns: columnsOf(key),
    searchParam,
    sort: [],
    timezone,
    statementTimeoutMs: 60_000,
    signal,
  });
  return (await readText(bytes)).split("\n").filter((line) => line !== "");
}

interface RelativeCase {
  readonly timezone: string;
  readonly now: Date;
  readonly base: keyof typeof beginnings;
  readonly calendar: string;
  readonly hours: number;
  readonly sign: "+" | "-";
}

const beginnings = {
  now: "microseconds",
  today: "day",
  thisWeek: "week",
  thisMonth: "month",
  thisQuarter: "quarter",
  thisYear: "year",
} as const;

const relativeCase: fc.Arbitrary<RelativeCase> = fc.record({
  // Zones with large and half-hour offsets, and with clock changes at midnight. None of them repeats midnight, because Postgres would take the second
  // one.
  timezone: fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/St_Johns",
    "America/Santiago",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
  ),
  now: fc.date({ min: new Date("2025-06-01T00:00:00Z"), max: new Date("2026-06-30T00:00:00Z"), noInvalidDate: true }),
  base: fc.constantFrom(...(Object.keys(beginnings) as (keyof typeof beginnings)[])),
  calendar: fc.constantFrom("", "", "1D", "30D", "2W", "1M", "1M3D", "1Y"),
  hours: fc.constantFrom(0, 0, 6, 30),
  sign: fc.constantFrom("+", "-"),
});

const textOf = ({ base, calendar, hours, sign }: RelativeCase): string =>
  base + (calendar === "" && hours === 0 ? "" : `${sign}P${calendar}${hours === 0 ? "" : `T${hours}H`}`);

function instantSql({ timezone, now, base, calendar, hours, sign }: RelativeCase): SQL {
  const duration = sql`${`P${calendar === "" ? "0D" : calendar}`}::text::interval`;
  const factor = sql`${sign === "-" ? "-1" : "1"}::text::integer`;
  const at = sql`${now.toISOString()}::text::timestamptz`;
  const zone = sql`${timezone}::text`;
  const elapsed = sql`${factor} * ${hours}::text::integer * interval '1 hour'`;
  if (base === "now" && calendar === "") return sql`(${at} + ${elapsed})`;
  const local = sql`date_trunc(${beginnings[base]}::text, ${at} at time zone ${zone}) + ${factor} * ${duration}`;
  return sql`(((${local}) at time zone ${zone}) + ${elapsed})`;
}

function countPairs(given: RelativeCase, at: SQL, on: SQL): readonly SQL[] {
  const { timezone } = given;
  const time = textOf(given);
  const moment = { now: given.now, timezone };
  const [instant, day] = [resolveRelativeTime(time, moment)!, resolveRelativeDay(time, moment)!];
  const pairs: readonly (readonly [SearchParam, SQL])[] = [
    [{ atFrom: instant }, sql`at >= ${at}`],
    [{ atTo: instant }, sql`at < ${at}`],
    [{ dayFrom: instant }, sql`day >= ${on}`],
    [{ dayTo: instant }, sql`day < ${on}`],
    [{ dayAt: [instant] }, sql`day = ${on}`],
    [{ dueFrom: day }, sql`day >= ${on}`],
    [{ dueTo: day }, sql`day < ${on}`],
    [{ due: [day] }, sql`day = ${on}`],
    [{ dueNot: [day] }, sql`day is distinct from ${on}`],
  ];
  return pairs.map(([searchParam, plain]) => {
    const filter = compileFilters(relation, definition.filters, searchParam, { timezone });
    return sql`array[count(*) filter (where ${filter}), count(*) filter (where ${plain})]`;
  });
}

test("relative days and times in filters match the rows that Postgres's calendar does", async () => {
  const client = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(relativeCase, { minLength: 60, maxLength: 60 }), async (cases) => {
        const at = (array: SQL, index: number): SQL => sql`${array}[${String(index + 1)}::text::integer]`;
        const columns = cases.flatMap((given, index) =>
          countPairs(given, at(sql`expected.instants`, index), at(sql`expected.days`, index)),
        );
        const days = cases.map(
          ({ timezone }, index) => sql`(${at(sql`instants`, index)} at time zone ${timezone}::text)::date`,
        );
        const { text, values } = toBoundQuery(sql`
          with times as materialized (select array[${sql.join(cases.map(instantSql), sql`, `)}] as instants),
            expected as materialized (select instants, array[${sql.join(days, sql`, `)}] as days from times)
          select array[${sql.join(columns, sql`, `)}] as pairs from ${relation.from}, expected`);
        const [row] = await client.unsafe(text, [...values]);
        const pairs = row!["pairs"] as readonly (readonly [string, string])[];
        const perCase = pairs.length / cases.length;
        const wrong = pairs.flatMap(([found, expected], at) =>
          found === expected ? [] : [{ ...cases[Math.floor(at / perCase)]!, filter: at % perCase, found, expected }],
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  } finally {
    await client.end();
  }
});

test("a filter by date compares calendar days, independently of the time zone", async () => {
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    const read = (searchParam: SearchParam) => readColumn("day", searchParam, timezone);
    expect(await read({ due: ["2025-01-02", "2025-01-03"] })).toEqual(["2025-01-02", "2025-01-03"]);
    expect(await read({ dueFrom: "2025-01-02", dueTo: "2025-01-04" })).toEqual(["2025-01-02", "2025-01-03"]);
  }
});

test("filters by instants select all days of a year in Berlin, from 1 January", async () => {
  const datedDays = 328;
  const year = { dayFrom: "2025-12-31T23:00:00.000Z", dayTo: "2026-12-31T23:00:00.000Z" };
  const read = await readColumn("day", year, "Europe/Berlin");
  expect([read[0], read.length]).toEqual(["2026-01-01", datedDays]);
  const pool = createDatabase({ url: database.url, max: 1 });
  const previews = createReportPreviewReader(
    { main: { url: database.url, engine: "postgres" } },
    { connections: 1, deadlineMs: 60_000 },
    createRowEstimator(pool, new Map()),
  );
  try {
    const request = { definition, searchParam: year, timezone: "Europe/Berlin" };
    const sort = [{ key: "day", descending: false }];
    const rows = await previews.readRows({ ...request, columns: columnsOf("day"), sort, limit: 1 }, signal);
    expect(rows).toEqual([["2026-01-01"]]);
    expect(await previews.forecast(request, signal)).toMatchObject({ rows: datedDays, rowsAre: "EXACT" });
  } finally {
    await previews.close();
    await pool.close();
  }
});
