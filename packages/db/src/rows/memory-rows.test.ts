import type { FilterValue } from "@reports/core/query";
import type { ReportTypeDefinition } from "@reports/core/report";
import {
  defineReportTypes,
  selectRows,
  type FilterOperator,
  type FilterValueKind,
  type ObjectRow,
} from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import * as fc from "fast-check";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowEstimator } from "./row-estimator.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = new AbortController();

const filter = (name: string, operator: FilterOperator, value: FilterValueKind, column: string) =>
  ({
    name,
    operator,
    value,
    columns: [column],
    description: name,
    ...(value === "enum" ? { values: ["a"] } : {}),
  }) as never;

const [definition] = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "FACTS",
      version: 1,
      title: "Facts",
      columns: [
        { key: "id", title: "ID", kind: "integer" },
        { key: "name", title: "Name", kind: "text" },
        { key: "pages", title: "Pages", kind: "bigint" },
        { key: "cost", title: "Cost", kind: "decimal" },
        { key: "day", title: "Day", kind: "date" },
        { key: "at", title: "At", kind: "timestamp" },
        { key: "wait", title: "Wait", kind: "duration" },
        { key: "start", title: "Start", kind: "time" },
        { key: "open", title: "Open", kind: "boolean" },
        { key: "tags", title: "Tags", kind: "list" },
      ],
      filters: [
        filter("q", "contains", "text", "name"),
        filter("name", "in", "text", "name"),
        filter("nameNot", "notIn", "text", "name"),
        filter("under", "suffix", "text", "name"),
        filter("pagesFrom", "from", "integer", "pages"),
        filter("pagesTo", "to", "integer", "pages"),
        filter("cost", "in", "decimal", "cost"),
        filter("costFrom", "from", "decimal", "cost"),
        filter("dayFrom", "from", "date", "day"),
        filter("dayTo", "to", "timestamp", "day"),
        filter("atFrom", "from", "timestamp", "at"),
        filter("waitFrom", "from", "decimal", "wait"),
        filter("waitTo", "to", "integer", "wait"),
        filter("waitNot", "notIn", "decimal", "wait"),
        filter("startFrom", "from", "time", "start"),
        filter("startTo", "to", "time", "start"),
        filter("start", "in", "time", "start"),
        filter("open", "in", "boolean", "open"),
        filter("tag", "has", "text", "tags"),
        filter("tagsEmpty", "empty", "boolean", "tags"),
      ],
      rows: {
        kind: "view",
        view: "facts",
        id: "id",
        columns: {
          id: { column: "id", type: "integer" },
          name: { column: "name", type: "text" },
          pages: { column: "pages", type: "bigint" },
          cost: { column: "cost", type: "numeric" },
          day: { column: "day", type: "date" },
          at: { column: "at", type: "timestamptz" },
          wait: { column: "wait", type: "interval" },
          start: { column: "start", type: "time" },
          open: { column: "open", type: "boolean" },
          tags: { column: "tags", type: "text[]" },
        },
      },
    },
  },
]).reportTypes.map((type) => type.definition) as [ReportTypeDefinition];

const names = ["a", "B", "b", "ab", "a.b", "Ä", "ä", "z", "\u{1F600}", "\uFFFD", "", "a_b", "100%", null] as const;
const costs = ["10.5", "10.50", "-0.1", "12345678901234567890.1", "0", null] as const;
const days = ["2026-01-30", "2026-01-31", "2026-02-01", null] as const;
const instants = ["2026-01-30T22:59:59.999Z", "2026-01-30T23:00:00Z", "2026-01-31T12:00:00Z", null] as const;

const waits = ["0", "-5400.000001", "90061.5", "86400", 86_400, "0.000001", "360000000", null] as const;
const starts = ["00:00", "08:30", "08:30:00.5", "08:30:00.50", "23:59:59.999999", "24:00", null] as const;

const rows: readonly ObjectRow[] = Array.from({ length: 90 }, (_, id) => ({
  id,
  name: names[id % names.length]!,
  pages: id % 7 === 0 ? null : (id * 5) % 11,
  cost: costs[(id * 5) % costs.length]!,
  day: days[(id * 3) % days.length]!,
  at: instants[(id * 7) % 4] === null ? null : new Date(instants[(id * 7) % 4]!),
  wait: waits[(id * 3) % waits.length]!,
  start: starts[(id * 5) % starts.length]!,
  open: [true, false, null][id % 3]!,
  tags: [["a", "b"], [], null, ["b"]][(id * 3) % 4]!,
}));

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let previews: ReturnType<typeof createReportPreviewReader>;
let sizes: ReturnType<typeof createDatabase>;

beforeAll(async () => {
  database = await cloneDatabase();
  const client = postgres(database.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`create table facts (id integer primary key, name text collate "C", pages bigint, cost numeric,
    day date, at timestamptz, wait interval, start time, open boolean, tags text[])`);
  await client`insert into facts select * from json_populate_recordset(null::facts, ${JSON.stringify(rows)}::text::json)`;
  await client.end();
  sizes = createDatabase({ url: database.url, max: 1 });
  previews = createReportPreviewReader(
    { main: { url: database.url, engine: "postgres" } },
    { connections: 1, deadlineMs: 60_000 },
    createRowEstimator(sizes, new Map()),
  );
});
afterAll(async () => {
  await previews.close();
  await sizes.close();
  await database[Symbol.asyncDispose]();
});

const some = (...values: FilterValue[]) => fc.subarray(values, { minLength: 1 });
const searchParam = fc.record(
  {
    q: fc.constantFrom("b", "A", "_", "%", ".", "\u{1F600}"),
    name: some("a", "b", "", "\u{1F600}"),
    nameNot: some("a", "B", "\uFFFD"),
    under: some("b", "a.b"),
    pagesFrom: fc.constantFrom(0, 5),
    pagesTo: fc.constantFrom(7, 10),
    cost: some("10.5", "0"),
    costFrom: fc.constantFrom("10.49", "10.500", "-1"),
    dayFrom: fc.constantFrom("2026-01-31"),
    dayTo: fc.constantFrom("2026-01-30T23:00:00Z", "2026-02-01T12:00:00Z"),
    atFrom: fc.constantFrom("2026-01-30T23:00:00Z"),
    waitFrom: fc.constantFrom("0", "-5400", "0.0000001", "86400.0"),
    waitTo: fc.constantFrom(0, 1, 90_062),
    waitNot: some("86400", "-5400.000001", "0.5"),
    startFrom: fc.constantFrom("08:30:00", "08:30:00.5", "23:59:59.999999"),
    startTo: fc.constantFrom("08:30:00", "08:30:00.5", "24:00:00"),
    start: some("08:30:00.5", "24:00:00", "12:00:00"),
    open: some(true, false),
    tag: some("a", "b"),
    tagsEmpty: some(true, false),
  },
  { requiredKeys: [] },
);
const sorts = fc
  .subarray(["name", "pages", "cost", "day", "at", "wait", "start", "open"], { maxLength: 3 })
  .chain((keys) => fc.tuple(...keys.map((key) => fc.boolean().map((descending) => ({ key, descending })))));

test("selectRows selects and orders rows in memory as Postgres does with collation C", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(searchParam, sorts, fc.constantFrom("UTC", "Europe/Berlin"), async (given, sort, timezone) => {
      const few = Object.fromEntries(Object.entries(given).slice(0, 2));
      const request = { searchParam: few, sort, timezone, limit: 40 };
      const columns = definition.columns.slice(0, 1);
      const stored = await previews.readRows({ ...request, definition, columns }, signal);
      const selected = selectRows(rows, { ...definition, id: "id" }, request);
      expect(selected.map(({ id }) => [String(id)])).toEqual(stored);
      found += stored.length;
    }),
    { numRuns: 150 },
  );
  expect(found).toBeGreaterThan(0);
});
