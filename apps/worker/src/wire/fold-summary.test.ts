import { Buffer } from "node:buffer";
import { buffer } from "node:stream/consumers";
import type { ObjectRow, ReportSummary, ReportTypeDefinition, RowRequest } from "@reports/core/report";
import { defineReportTypes, type ObjectRows, type ViewRows } from "@reports/core/report-type";
import { createRowSourceReader } from "@reports/db";
import { createTestDatabases, isFullTestRun } from "@reports/testing";
import * as fc from "fast-check";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testObjectRowsContext } from "../formats/rows.fixture.ts";
import { createSubtotalFold } from "./fold-groups.ts";
import { openObjectRows } from "./object-rows.ts";
import { parseRows } from "./read-rows.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

const texts = ["", "a", "b", "B", "é", "日本", "\u{1F600}", "\uFFFD", 'q"\\', "a,b", "{}", "NULL", "two\nlines"];
const columns = [
  { key: "name", title: "Name", kind: "text" },
  { key: "tags", title: "Tags", kind: "list" },
  { key: "shifts", title: "Shifts", kind: "integer" },
  { key: "total", title: "Total", kind: "bigint" },
  { key: "pay", title: "Pay", kind: "decimal" },
  { key: "share", title: "TLS share", kind: "ratio" },
  { key: "wait", title: "Wait", kind: "duration" },
  { key: "start", title: "Start", kind: "time" },
  { key: "ok", title: "OK", kind: "boolean" },
  { key: "day", title: "Day", kind: "date" },
  { key: "at", title: "At", kind: "timestamp" },
] as const;
const types = {
  name: "text",
  tags: "text[]",
  shifts: "integer",
  total: "bigint",
  pay: "numeric",
  share: "numeric",
  wait: "interval",
  start: "time",
  ok: "boolean",
  day: "date",
  at: "timestamptz",
} as const;

const conditions = [
  { column: "name", in: ["a", "", "日本"] },
  { column: "tags", in: ["a", 'q"\\'] },
  { column: "shifts", in: ["0", "-3"] },
  { column: "ok", in: ["true"] },
  { column: "day", in: ["2026-02-28"] },
  { column: "shifts", atLeast: -2, below: 3.5 },
  { column: "total", atLeast: 9007199254740992 },
  { column: "pay", atLeast: 0.1 },
  { column: "share", below: 1e-7 },
  { column: "wait", atLeast: -1.5, below: 86400 },
  { column: "start", in: ["08:30:00", "24:00:00"] },
  { column: "pay", isNull: true },
  { column: "at", isNull: false },
  { column: "tags", isNull: true },
] as const;
const series = conditions.slice(0, 3).map((where, at) => ({ label: String(at), where }));
const measures = [
  { kind: "count" },
  { kind: "sum", column: "pay" },
  { kind: "weighted-mean", column: "share", weight: "total" },
  { kind: "avg", column: "pay" },
  { kind: "max", column: "shifts" },
  { kind: "distinct", column: "share" },
  { kind: "sum", column: "wait" },
] as const;
const figure = (key: string, aggregate: object) => ({ key, title: key, kind: "decimal" as const, aggregate }) as never;

const { reportTypes } = defineReportTypes([
  {
    authority: "REPORT_FOLDED",
    definition: {
      type: "FOLDED",
      version: 1,
      title: "Folded",
      columns,
      rows: {
        kind: "view",
        view: "facts",
        id: "id",
        columns: Object.fromEntries(
          Object.entries(types).map(([key, type]) => [key, { column: key, type }]),
        ) as ViewRows["columns"] & Record<keyof typeof types, ViewRows["columns"][string]>,
      },
    },
  },
]);
const summary: ReportTypeDefinition["summary"] = {
  figures: [
    ...conditions.map((where, at) => figure(`count${at}`, { kind: "count", where })),
    ...["shifts", "total", "pay", "share", "wait"].map((column) => figure(column, { kind: "sum", column })),
    ...conditions.map((where, at) => figure(`sum${at}`, { kind: "sum", column: "pay", where })),
    ...["shifts", "total", "pay"].flatMap((weight) =>
      ["pay", "share", "shifts", "wait"].map((column) =>
        figure(`${column}By${weight}`, { kind: "weighted-mean", column, weight }),
      ),
    ),
    ...(["avg", "min", "max"] as const).flatMap((kind) =>
      ["shifts", "total", "pay", "share", "wait"].map((column) => figure(`${kind}Of${column}`, { kind, column })),
    ),
    ...(["min", "max"] as const).flatMap((kind) =>
      ["day", "at", "start"].map((column) => figure(`${kind}Of${column}`, { kind, column })),
    ),
    ...columns
      .filter(({ kind }) => kind !== "list")
      .map(({ key }) => figure(`distinct${key}`, { kind: "distinct", column: key })),
    ...(["avg", "min", "distinct"] as const).map((kind) =>
      figure(`${kind}Where`, { kind, column: "pay", where: conditions[5] }),
    ),
  ],
  charts: [
    ...measures.flatMap((measure, at) =>
      columns
        .filter(({ kind }) => at === 0 || kind === "text" || kind === "list")
        .map(({ key, title }) => ({
          key: `${key}${at}`,
          title,
          categories: { column: key, top: 3 },
          ...(key === "name" ? { series } : {}),
          measure,
        })),
    ),
    ...measures.map((measure, at) => ({
      key: `parts${at}`,
      title: "Parts",
      categories: { parts: conditions.map((where, label) => ({ label: String(label), where })) },
      series,
      measure,
    })),
  ],
  attention: {
    title: "Look",
    where: { column: "shifts", isNull: false },
    columns: ["at", "pay", "name", "tags", "wait", "start"],
    // For rows that are equal in this sort, the database sorts by ID. Objects keep their order, which is that of the IDs.
    sort: [
      { key: "at", descending: true },
      { key: "pay", descending: true },
      { key: "ok", descending: false },
      { key: "name", descending: false },
    ],
    limit: 5,
  },
};
const ofView: ReportTypeDefinition = { ...reportTypes[0]!.definition, summary };

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 5 });
const decimal = fc
  .tuple(fc.oneof(fc.integer({ min: -20, max: 20 }), fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })), fc.nat(9))
  .map(([digits, scale]) => {
    const sign = digits < 0 ? "-" : "";
    const text = String(digits)
      .replace("-", "")
      .padStart(scale + 1, "0");
    return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
  })
  .map((text) => (/^-[0.]+$/.test(text) ? text.slice(1) : text));
const microseconds = fc
  .integer({ min: -(10 ** 12), max: 10 ** 12 })
  .map((count) => (count / 1e6).toFixed(6).replace(/\.?0+$/, ""));
const rowOf: fc.Arbitrary<ObjectRow> = fc.record({
  name: nullable(fc.constantFrom(...texts)),
  tags: nullable(fc.array(fc.constantFrom(...texts), { maxLength: 3 })),
  shifts: nullable(fc.integer({ min: -4, max: 4 })),
  total: nullable(fc.oneof(fc.bigInt({ min: -3n, max: 3n }), fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }))),
  pay: nullable(decimal),
  share: nullable(fc.oneof(decimal, fc.constantFrom("0.00000010", "0.0000001", "0.1", "0.10", 1e-8))),
  // Postgres reads a number without a unit as seconds of an interval.
  wait: nullable(fc.oneof(microseconds, fc.constantFrom("0", "-1.5", "86400", "360000000"))),
  start: nullable(fc.constantFrom("00:00:00", "08:30:00", "08:30:00.5", "23:59:59.999999", "24:00:00")),
  ok: nullable(fc.boolean()),
  day: nullable(fc.constantFrom("2026-02-28", "1999-12-31", "2024-02-29")),
  // Times on both sides of a clock change, where local texts sort differently from times.
  at: nullable(fc.constantFrom("2026-10-25T00:30:00.120Z", "2026-10-25T01:00:00Z", "2026-01-01T00:00:00Z")).map(
    (text) => text && new Date(text),
  ),
});

/** Removes zeros at the end of a fraction. 0.10 and 0.1 are equal, and Postgres returns either as the smallest or largest value. */
function canonical(value: string | null): string | null {
  return value?.includes(".") === true ? value.replace(/\.?0+$/, "") : value;
}

function withCanonicalExtremes<Read extends { readonly summary: ReportSummary }>(read: Read): Read {
  const figures = read.summary.figures.map((figure) =>
    /^(min|max)Of/.test(figure.key) ? { ...figure, value: canonical(figure.value) } : figure,
  );
  return { ...read, summary: { ...read.summary, figures } };
}

describe("folded summaries", () => {
  let client: Sql;
  let close: () => Promise<void>;
  let source: ReturnType<typeof createRowSourceReader>;

  beforeAll(async () => {
    const database = await cloneDatabase();
    client = postgres(database.url, { max: 1, onnotice: () => undefined });
    close = async () => {
      await client.end();
      await database[Symbol.asyncDispose]();
    };
    source = createRowSourceReader({ url: database.url, reuseMs: 60_000 });
    const list = Object.entries(types).map(([key, type]) => `"${key}" ${type}`);
    await client.unsafe(`create table facts (id integer primary key, ${list.join(", ")})`);
  });
  afterAll(async () => close());

  async function insert(rows: readonly ObjectRow[]): Promise<void> {
    await client`truncate facts`;
    if (rows.length === 0) return;
    const plain = rows.map((row, id) => ({
      id,
      ...Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, typeof value === "bigint" ? String(value) : value]),
      ),
    }));
    await client`insert into facts select * from json_populate_recordset(null::facts, ${JSON.stringify(plain)}::text::json)`;
  }

  async function readBoth(rows: readonly ObjectRow[], where: ReportTypeDefinition["where"]) {
    await insert(rows);
    const objects: ObjectRows = {
      kind: "objects",
      async *rows() {
        yield* rows;
      },
    };
    const request: RowRequest = {
      definition: { ...ofView, where },
      columns: ofView.columns,
      searchParam: {},
      sort: [],
      timezone: "Europe/Berlin",
      statementTimeoutMs: 60_000,
      signal: new AbortController().signal,
    };
    const stored = await source.open(request);
    const storedBytes = await buffer(stored.bytes);
    const folded = await openObjectRows(
      objects,
      { ...request, definition: { ...request.definition, rows: objects } },
      testObjectRowsContext,
    );
    const foldedBytes = await buffer(folded.bytes);
    return {
      stored: { summary: stored.summary, rows: storedBytes.toString(), count: stored.rowsTotal },
      folded: { summary: folded.summary(), rows: foldedBytes.toString(), count: folded.rowsPassed() },
    };
  }

  function readSubtotals(wire: string): readonly (string | null)[] {
    const fold = createSubtotalFold(summary.figures, ofView.columns)();
    for (const row of parseRows(Buffer.from(wire))) fold.add(row);
    return fold.values();
  }

  test("a folded summary and its subtotals equal what Postgres computes from the rows", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { maxLength: 25 }),
        fc.subarray([conditions[0], conditions[5], conditions[7], conditions[9], conditions[10], conditions[12]], {
          maxLength: 2,
        }),
        async (rows, where) => {
          const { stored, folded } = await readBoth(rows, where);
          expect(withCanonicalExtremes(folded)).toEqual(withCanonicalExtremes(stored));
          expect(readSubtotals(stored.rows).map(canonical)).toEqual(
            stored.summary.figures.map(({ value }) => canonical(value)),
          );
        },
      ),
      // Shrinking a failure would query the database for every smaller case, and the test would time out.
      { numRuns: isFullTestRun ? 15 : 7, endOnFailure: true },
    );
  });

  test("a folded chart with too many categories says so instead of showing wrong ones", async () => {
    const rows = Array.from({ length: 10_001 }, (_, at) => ({ name: `name ${at}`, pay: 1, share: 1, total: 1 }));
    const objects: ObjectRows = {
      kind: "objects",
      async *rows() {
        yield* rows;
        yield {};
      },
    };
    const summaryOf = async (count: number): Promise<ReportSummary> => {
      const limited: ObjectRows = {
        kind: "objects",
        async *rows() {
          let given = 0;
          for await (const row of objects.rows({} as never)) if (++given > 10_001 - count) yield row;
        },
      };
      const charts = summary.charts.filter(({ key }) => /^name[0-2]$/.test(key));
      const definition = { ...ofView, rows: limited, summary: { figures: [], charts } };
      const signal = new AbortController().signal;
      const request = {
        definition,
        columns: [],
        searchParam: {},
        sort: [],
        timezone: "UTC",
        statementTimeoutMs: 1,
        signal,
      };
      const opened = await openObjectRows(limited, request, testObjectRowsContext);
      await buffer(opened.bytes);
      return opened.summary();
    };
    const chartsOf = ({ charts }: ReportSummary) =>
      charts
        .filter(({ key }) => /^name[0-2]$/.test(key))
        .map(({ points, omitted }) => ({ shown: points.length, omitted }));
    const none = (value: number | null) => ({ label: "no name", value });
    expect(chartsOf(await summaryOf(10_000))).toEqual([
      { shown: 3, omitted: [none(1), { label: "9997 others", value: 9997 }] },
      { shown: 3, omitted: [none(null), { label: "9997 others", value: 9997 }] },
      { shown: 3, omitted: [none(null), { label: "9997 others", value: null }] },
    ]);
    const label = "more than 10,000 different values";
    expect(chartsOf(await summaryOf(10_001))).toEqual([
      { shown: 0, omitted: [none(1), { label, value: 10_001 }] },
      { shown: 0, omitted: [none(null), { label, value: 10_001 }] },
      { shown: 0, omitted: [none(null), { label, value: null }] },
    ]);
  });
});
