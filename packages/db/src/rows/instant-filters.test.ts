import { text as readText } from "node:stream/consumers";
import { resolveRelativeTime, type SearchParam } from "@reports/core/query";
import type { ReportTypeDefinition } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createReportPreviews } from "./report-previews.ts";
import { createRowSizes } from "./row-sizes.ts";
import { createReportSource } from "./report-source.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = new AbortController();

/** Zones west and east of UTC, with a half hour, with clock changes at midnight, and at the date line. */
const zones = ["Europe/Berlin", "America/St_Johns", "America/Santiago", "Pacific/Kiritimati"];
const nows = ["2026-01-01T00:30:00Z", "2026-09-06T03:59:59Z"];
const times = ["now", "today", "thisYear", "thisMonth-P1M", "now+P30D"];

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

const hourMs = 3_600_000;
const firstAt = Date.parse("2025-11-20T00:00:00Z");
const hours = 24 * 400;
let database: Awaited<ReturnType<typeof cloneDatabase>>;

beforeAll(async () => {
  database = await cloneDatabase();
  const client = postgres(database.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create table due (id integer primary key, day date, at timestamptz);
    insert into due select n, case when n % 24 = 0 then date '2025-11-20' + n / 24 end, timestamptz '2025-11-20Z' + n * interval '1 hour'
      from generate_series(0, ${hours - 1}) n;`);
  await client.end();
});
afterAll(async () => database[Symbol.asyncDispose]());

/** Returns the day of a time in a zone, by Node's calendar. */
function dayOf(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    new Date(instant),
  );
}

const columnsOf = (key: string) => definition.columns.filter((column) => column.key === key);

async function readColumn(key: string, searchParam: SearchParam, timezone: string): Promise<readonly string[]> {
  const { bytes } = await createReportSource({ url: database.url }).open({
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

test.each(zones)("filters of dates and times use the clocks of %s", async (timezone) => {
  const days = Array.from({ length: hours / 24 }, (_, at) =>
    dayOf(new Date(firstAt + at * 24 * hourMs).toISOString(), "UTC"),
  );
  const moments = Array.from({ length: hours }, (_, at) => firstAt + at * hourMs);
  for (const now of nows) {
    for (const time of times) {
      const instant = resolveRelativeTime(time, { now: new Date(now), timezone })!;
      const day = dayOf(instant, timezone);
      const label = `${time} at ${now}`;
      expect([label, await readColumn("day", { dayFrom: instant }, timezone)]).toEqual([
        label,
        days.filter((one) => one >= day),
      ]);
      expect([label, await readColumn("day", { dayTo: instant }, timezone)]).toEqual([
        label,
        days.filter((one) => one < day),
      ]);
      const from = await readColumn("at", { atFrom: instant }, timezone);
      const to = await readColumn("at", { atTo: instant }, timezone);
      const at = Date.parse(instant);
      expect([label, from.length, to.length]).toEqual([
        label,
        moments.filter((one) => one >= at).length,
        moments.filter((one) => one < at).length,
      ]);
    }
  }
});

test("a year in Berlin has the days from 1 January to 31 December", async () => {
  const year = { dayFrom: "2025-12-31T23:00:00.000Z", dayTo: "2026-12-31T23:00:00.000Z" };
  const read = await readColumn("day", year, "Europe/Berlin");
  expect([read[0], read.length]).toEqual(["2026-01-01", 358]);
  const pool = createDatabase({ url: database.url, max: 1 });
  const previews = createReportPreviews(
    { main: { url: database.url, engine: "postgres" } },
    { connections: 1, deadlineMs: 60_000 },
    createRowSizes(pool, new Map()),
  );
  try {
    const request = { definition, searchParam: year, timezone: "Europe/Berlin" };
    const sort = [{ key: "day", descending: false }];
    const rows = await previews.readRows({ ...request, columns: columnsOf("day"), sort, limit: 1 }, signal);
    expect(rows).toEqual([["2026-01-01"]]);
    expect(await previews.forecast(request, signal)).toMatchObject({ rows: 358, rowsAre: "EXACT" });
  } finally {
    await previews.close();
    await pool.close();
  }
});
