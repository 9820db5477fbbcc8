import { text as readText } from "node:stream/consumers";
import {
  reportSourceEngines,
  type ReportSourceEngine,
  type ReportTypeDefinition,
  type RowRequest,
} from "@reports/core/report";
import type { SearchParam, SortKey } from "@reports/core/query";
import { createTestCaseDivider, createTestDatabases, startPostgresShards, waitFor } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findUnusableReportTypes } from "./find-unusable-report-types.ts";
import { snapshotNotGlobalWarning, sourceEngineProperties } from "./source-engine-properties.ts";
import { createMultiSourceReader } from "./report-sources.ts";
import {
  expectedConformanceRowsSql,
  conformanceType,
  readCopyText,
  createConformanceTable,
  createShardedConformanceTable,
  shardTableStatements,
} from "./source-conformance.fixture.ts";

/** URL of a running server. Undefined: the tests start Postgres. See docs/reference/postgres.md. */
const givenUrl = process.env["REPORT_SOURCE_TEST_URL"];
const engine = engineNamed(process.env["REPORT_SOURCE_TEST_ENGINE"] ?? "postgres");
const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

/** Without a given server, the suite runs on one Postgres, and on one whose rows are on two shards. */
const stands =
  givenUrl === undefined
    ? [
        { name: engine, isSharded: false },
        { name: "sharded Postgres", isSharded: true },
      ]
    : [{ name: engine, isSharded: false }];

/** Outside of CI, each stand gets another half of the sort orders and of the filters. */
const [selectOrders, selectFilters] = [createTestCaseDivider(), createTestCaseDivider()];

describe.each(stands)("a source of the engine $name", ({ isSharded }) => {
  let url: string;
  let client: Sql;
  let reader: ReturnType<typeof createMultiSourceReader>;
  let drop = async (): Promise<void> => undefined;

  beforeAll(async () => {
    if (givenUrl === undefined) {
      const clone = await cloneDatabase();
      const shards = isSharded ? await startPostgresShards(shardTableStatements) : null;
      drop = async () => {
        await clone[Symbol.asyncDispose]();
        await shards?.[Symbol.asyncDispose]();
      };
      url = clone.url;
      await shards?.connect(url);
    } else url = givenUrl;
    client = postgres(url, { max: 1, onnotice: () => undefined });
    reader = createMultiSourceReader({ main: { url, engine } }, { reuseMs: 180_000 });
    await (isSharded ? createShardedConformanceTable(client) : createConformanceTable(client, engine));
  }, 120_000);
  afterAll(async () => {
    await client?.end();
    await drop();
  });

  const open = async (changes: Partial<RowRequest> = {}) =>
    reader.open({
      definition: conformanceType,
      columns: conformanceType.columns,
      searchParam: {},
      sort: conformanceType.defaultSort,
      timezone: "Asia/Kolkata",
      statementTimeoutMs: 60_000,
      signal: new AbortController().signal,
      ...changes,
    });
  const readBody = async (changes: Partial<RowRequest> = {}): Promise<string> => readText((await open(changes)).bytes);
  const expected = async (clauses: string): Promise<string> =>
    readCopyText(url, `${expectedConformanceRowsSql} ${clauses}`);
  const withRows = (changes: object): ReportTypeDefinition => ({
    ...conformanceType,
    rows: { ...conformanceType.rows, ...changes },
  });

  test("findUnusableReportTypes accepts the conformance view of the source", async () => {
    expect(await findUnusableReportTypes([conformanceType], { main: { url, engine } })).toEqual({
      unusable: new Map(),
      unknown: new Set(),
    });
  });

  test("a report over the source equals plain SQL, for every column type", async () => {
    const body = await readBody();
    expect(body).toBe(await expected("order by state_rank, places desc nulls last, id desc"));
    expect(body.length).toBeGreaterThan(20_000);
  });

  const orders: readonly (readonly [SortKey[], string])[] = [
    [[{ key: "label", descending: false }], 'label collate "C", id'],
    [[{ key: "bytes", descending: true }], "bytes desc nulls last, id desc"],
    [[{ key: "amount", descending: false }], "amount, id"],
    [[{ key: "paid", descending: true }], "paid desc nulls last, id desc"],
    [[{ key: "paidAt", descending: true }], "paid_at desc nulls last, id desc"],
    [[{ key: "due", descending: false }], "due, id"],
    [[{ key: "reference", descending: true }], "reference desc nulls last, id desc"],
  ];
  test.each(
    selectOrders(orders, stands.length).filter(([[first]]) => givenUrl === undefined || first!.key !== "label"),
  )("a report over the source sorts by %j like plain SQL, with ties by ID", async (sort, clause) => {
    expect(await readBody({ sort })).toBe(await expected(`order by ${clause}`));
  });

  const filters: readonly (readonly [SearchParam, string])[] = [
    [{ state: ["PAID", "VOID"] }, "state in ('PAID', 'VOID')"],
    [{ q: '"quoted",' }, "label like '%\"quoted\",%'"],
    [{ q: "ŽLUŤ" }, "label like 'Žluť%'"],
    [{ tag: ['a,"b"\\'] }, "id % 2 = 0"],
    [{ paid: [false] }, "not paid"],
    [{ places: [-100, 5] }, "places in (-100, 5)"],
    [{ reference: ["00000000-0000-4000-8000-000000000011"] }, "id = 11"],
    [{ paidFrom: "2026-04-10T00:00:00Z", state: ["OPEN"] }, "paid_at >= '2026-04-10T00:00:00Z' and state = 'OPEN'"],
    [{ dueTo: "2026-03-03T00:00:00Z" }, "due < '2026-03-03'"],
    [{ dayFrom: "2026-03-03", stateNot: ["OPEN"] }, "due >= '2026-03-03' and state <> 'OPEN'"],
    [{ day: ["2026-03-03", "2026-03-05"] }, "due in ('2026-03-03', '2026-03-05')"],
    [{ amountTo: "10.6251", dueEmpty: false }, "amount < 10.6251 and due is not null"],
    [{ placesFrom: "99.5", placesNot: [101, 5_000_000_000] }, "places > 99 and places <> 101"],
    [{ placesNot: [-100] }, "places is distinct from -100"],
    [{ dueEmpty: true, tagsEmpty: true }, "due is null and cardinality(tags) = 0"],
    [{ state: ["' or true --"] }, "false"],
  ];
  test.each(selectFilters(filters, stands.length))(
    "a report over the source filters by %j like plain SQL",
    async (searchParam, condition) => {
      const sort = [{ key: "places", descending: false }];
      const body = await readBody({ searchParam, sort });
      expect(body).toBe(await expected(`and ${condition} order by places, id`));
      expect(body === "").toBe(condition === "false");
    },
  );

  test("the total and the summary of a report equal aggregates of the returned rows", async () => {
    let counted: number | null = null;
    const rows = await open({ searchParam: { state: ["OPEN", "PAID"] }, onCounted: (total) => (counted = total) });
    const body = await readText(rows.bytes);
    const [totals] =
      await client.unsafe(`select count(*)::int as rows, (count(*) filter (where state = 'OPEN'))::int as open,
      (count(*) filter (where state = 'PAID'))::int as paid, sum(amount)::text as amount, (count(*) filter (where tags <> '{}'))::int as tagged,
      (count(*) filter (where places < -190))::int as far from (${expectedConformanceRowsSql} and state in ('OPEN', 'PAID')) shown`);
    expect(totals!["rows"]).toBeGreaterThan(200);
    expect(counted).toBe(totals!["rows"]);
    expect(rows.rowsTotal).toBe(sourceEngineProperties[engine].snapshot && !isSharded ? totals!["rows"] : null);
    expect(body.match(/\n/g)!.length - body.match(/line\n/g)!.length).toBe(totals!["rows"]);
    expect(rows.summary.figures.map(({ value }) => value)).toEqual([
      String(totals!["rows"]),
      String(totals!["open"]),
      totals!["amount"],
    ]);
    const [states, tags] = rows.summary.charts;
    expect(Object.fromEntries(states!.points.map(({ label, values }) => [label, values[0]]))).toEqual({
      OPEN: totals!["open"],
      PAID: totals!["paid"],
    });
    expect(Object.fromEntries(tags!.points.map(({ label, values }) => [label, values[0]]))).toEqual({
      even: totals!["tagged"],
      'a,"b"\\': totals!["tagged"],
    });
    expect(rows.summary.attention!.total).toBe(totals!["far"]);
    expect(rows.summary.attention!.rows.map(([, places]) => places)).toEqual(["-197", "-196", "-194"]);
  });

  test("a report warns if the source's engine has no common snapshot", async () => {
    const rows = await open();
    rows.bytes.destroy();
    const warning = isSharded ? snapshotNotGlobalWarning : sourceEngineProperties[engine].warning;
    expect(rows.warnings).toEqual(warning === null ? [] : [warning]);
  });

  test("a missing column is named by findUnusableReportTypes, and a report of it rejects", async () => {
    const lacking = withRows({ living: { column: "removed_at", isNull: true } });
    const { unusable } = await findUnusableReportTypes([lacking], { main: { url, engine } });
    expect(unusable.get("CONFORMANCE")).toEqual({
      code: "COLUMN_MISSING",
      message: "report_source_test.conformance has no column removed_at.",
    });
    await expect(open({ definition: lacking })).rejects.toMatchObject({ because: "TYPE_UNUSABLE" });
  });

  test("aborting a report ends its backend on the source", async () => {
    const stop = new AbortController();
    const rows = await open({ signal: stop.signal });
    const backends = async (): Promise<number> => {
      const [row] = await client`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'reports-rows'`;
      return row!["n"] as number;
    };
    const reading = readText(rows.bytes);
    const reason = new Error("cancelled");
    stop.abort(reason);
    await expect(reading).rejects.toBe(reason);
    await waitFor(async () => (await backends()) === 0, { what: "the backend to be gone" });
  });
});

function engineNamed(name: string): ReportSourceEngine {
  const engine = reportSourceEngines.find((known) => known === name);
  if (engine === undefined)
    throw new Error(`REPORT_SOURCE_TEST_ENGINE must be one of ${reportSourceEngines.join(", ")}.`);
  return engine;
}
