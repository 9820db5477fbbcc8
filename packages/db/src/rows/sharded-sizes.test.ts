import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import {
  estimateReport,
  chooseInitialReportLane,
  unlimitedStarts,
  type PreviewReader,
  type ReportSources,
  type ReportTypeDefinition,
} from "@reports/core/report";
import type { SearchParam } from "@reports/core/query";
import { defineReportTypes } from "@reports/core/report-type";
import {
  createTestDatabases,
  isFullTestRun,
  makeNewReport,
  startPostgresShards,
  waitFor,
  type PostgresShards,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createCachedRowCounter } from "./cached-row-counter.ts";
import { createRowEstimator, type RowEstimator } from "./row-estimator.ts";
import { createSourceDatabases, type SourceDatabases, type SourceHost } from "./source-databases.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const { signal } = new AbortController();
const large = 600_000;

let main: Awaited<ReturnType<typeof cloneDatabase>>;
let source: Awaited<ReturnType<typeof cloneDatabase>>;
let shards: PostgresShards;
let client: Sql;
let own: Sql;
let database: Database;
let sources: SourceDatabases;
let sizes: RowEstimator;
let previews: PreviewReader & { close(): Promise<void> };

beforeAll(async () => {
  [main, source] = [await cloneDatabase(), await cloneDatabase()];
  shards = await startPostgresShards([
    `create table small as select n as id, case when n <= 7 then 'OPEN' else 'PAID' end as state from generate_series(1, 1200) as n;
    create table large as select n as id, case when n <= 7 then 'OPEN' else 'PAID' end as state from generate_series(1, ${large}) as n;
    create index on large (state);
    create view slow as select id, state from small where pg_sleep(0.01) is not null;
    analyze`,
  ]);
  await shards.connect(source.url);
  client = postgres(source.url, { max: 1, onnotice: () => undefined });
  own = postgres(main.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create foreign table far_small (id integer, state text) server shard_1 options (table_name 'small');
    create foreign table far_large (id integer, state text) server shard_1 options (table_name 'large');
    create foreign table far_slow (id integer, state text) server shard_1 options (table_name 'slow');
    create view all_small as select * from far_small;
    create table here with (autovacuum_enabled = false) as select n as id, 'PAID' as state from generate_series(1, 30000) as n;`);
  const settings: ReportSources = {
    sharded: { url: source.url, engine: "postgres" },
    cluster: { url: source.url, engine: "citus" },
  };
  database = createDatabase({ url: main.url, max: 2 });
  // This time is enough to count the rows of each relation except `far_slow`, which takes 12 s.
  sources = createSourceDatabases(settings, {
    connectMs: 60_000,
    deadlineMs: 60_000,
    countMs: isFullTestRun ? 5_000 : 1_500,
  });
  sizes = createRowEstimator(database, sources, { timeoutMs: 60_000 });
  const all: ReportSources = { main: { url: main.url, engine: "postgres" }, ...settings };
  previews = createReportPreviewReader(all, { connections: 1, deadlineMs: 30_000 }, sizes);
}, 120_000);
afterAll(async () => {
  for (const each of [previews, database, ...(sources?.values() ?? [])]) await each?.close();
  for (const each of [client, own]) await each?.end();
  await shards?.[Symbol.asyncDispose]();
  for (const each of [main, source]) await each?.[Symbol.asyncDispose]();
});

let types = 0;
function typeOver(view: string, name = "sharded"): ReportTypeDefinition {
  return defineReportTypes([
    {
      authority: "A",
      definition: {
        type: `SIZED_${types++}`,
        version: 1,
        title: "Sized",
        columns: [{ key: "state", title: "State", kind: "text" }],
        filters: [{ name: "state", operator: "in", value: "text", columns: ["state"], description: "" }],
        rows: { kind: "view", source: name, view, id: "id", columns: { state: { column: "state", type: "text" } } },
      },
    },
  ]).reportTypes[0]!.definition;
}

async function estimateOf(definition: ReportTypeDefinition, searchParam: SearchParam = {}) {
  const options = { ...makeNewReport().options, timezone: "UTC" };
  const estimates = await estimateReport({ previews }, { definition, searchParam, options }, signal);
  const { rows, rowsAre, fits } = estimates.find(({ format }) => format === "pdf")!;
  return { rows, rowsAre, fits };
}

const laneOf = async (definition: ReportTypeDefinition, searchParam: SearchParam = {}) =>
  chooseInitialReportLane("pdf", await sizes.estimate(definition, searchParam, "UTC"));

test.each([
  ["a foreign table that was never analysed", "far_small", "sharded", 1200],
  ["a view of such a foreign table", "all_small", "sharded", 1200],
  ["a table of an engine without statistics", "here", "cluster", 30_000],
  ["a table that was never analysed", "here", "sharded", 30_000],
])("an estimate counts the rows of %s exactly", async (_, view, name, rows) => {
  // On a busy machine, a count may exceed its time limit. Then the estimate is requested again.
  const estimate = await waitFor(
    async () => {
      const found = await estimateOf(typeOver(view, name));
      return found.rowsAre === "EXACT" && found;
    },
    { what: "the rows to be counted" },
  );
  expect(estimate).toEqual({ rows, rowsAre: "EXACT", fits: true });
});

test("a report of a large foreign table is in the bulk lane; its estimate has no rows", async () => {
  const type = typeOver("far_large");
  expect(await estimateOf(type)).toEqual({ rows: null, rowsAre: null, fits: null });
  expect(await laneOf(type)).toBe("bulk");
});

test("a report goes to the bulk lane if its count takes too long", async () => {
  expect(await laneOf(typeOver("far_slow"))).toBe("bulk");
});

test("if rows are too many to count, the estimate is that of the latest equal report", async () => {
  const type = typeOver("far_large");
  const store = createReportStore(database);
  const insert = async (rows: number, filters: SearchParam, age: string): Promise<void> => {
    const { report } = await store.createQueued(
      makeNewReport({ reportType: type.type, searchParam: filters }),
      unlimitedStarts,
    );
    await own`update reports set row_count = ${rows}, created_at = now() - ${age}::interval where id = ${report.id}`;
  };
  await insert(large - 1, {}, "3 hours");
  await insert(large, {}, "2 hours");
  await insert(3, { state: ["OPEN"] }, "1 hour");
  expect(await estimateOf(type)).toEqual({ rows: large, rowsAre: "PREVIOUS", fits: false });
});

test("concurrent requests for the same rows share one count, which is then cached", async () => {
  const [host] = sources.get("sharded")!.hosts as readonly [SourceHost];
  let counted = 0;
  const hosts: readonly SourceHost[] = [
    {
      ...host,
      count: async (work) => {
        counted++;
        return host.count(work);
      },
    },
  ];
  const counts = createCachedRowCounter();
  const request = { definition: typeOver("far_small"), searchParam: { state: ["OPEN"] }, timezone: "UTC" };
  const results = await Promise.all(Array.from({ length: 20 }, async () => counts.count(request, hosts)));
  results.push(await counts.count(request, hosts));
  expect([counted, new Set(results).size]).toEqual([1, 1]);
  await counts.count({ ...request, timezone: "Asia/Kolkata" }, hosts);
  expect(counted).toBe(2);
});

test("a source runs two row counts at a time; a count that waits too long is unknown", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const [host] = sources.get("sharded")!.hosts as readonly [SourceHost];
  let running = 0;
  let most = 0;
  const hosts: readonly SourceHost[] = [
    {
      ...host,
      count: async (work) => {
        most = Math.max(most, ++running);
        await held;
        return host.count(work).finally(() => running--);
      },
    },
  ];
  const counts = createCachedRowCounter();
  const definition = typeOver("far_small");
  const request = (state: string) => ({ definition, searchParam: { state: [state] }, timezone: "UTC" });
  const first = [counts.count(request("a"), hosts), counts.count(request("b"), hosts)];
  const others = Array.from({ length: 30 }, async (_, index) => counts.count(request(`c${index}`), hosts));
  // The first two counts hold both permits until `release`. So none of the other counts has run.
  expect(new Set((await Promise.all(others)).map(({ kind }) => kind))).toEqual(new Set(["unknown"]));
  release();
  await Promise.all(first);
  expect(most).toBe(2);
  expect(await counts.count(request("c0"), hosts)).not.toMatchObject({ isRefused: true });
});

test("the count of a type with an unknown column is unknown and does not reject", async () => {
  const broken = { ...typeOver("far_small"), where: [{ column: "missing", in: ["OPEN"] }] };
  const request = { definition: broken, searchParam: {}, timezone: "UTC" };
  const counts = createCachedRowCounter();
  expect(await counts.count(request, sources.get("sharded")!.hosts)).toMatchObject({ kind: "unknown" });
});

describe("row estimates of a slow source", () => {
  const never = new Promise<never>(() => undefined);
  const startOver = async (count: SourceHost["count"]): Promise<number | null> => {
    const { engine, hosts, close } = sources.get("cluster")!;
    const slow = new Map([["cluster", { engine, hosts: [{ ...hosts[0]!, count }], close }]]);
    const { estimate } = createRowEstimator(database, slow, { timeoutMs: 1 });
    return estimate(typeOver("far_small", "cluster"), {}, "UTC");
  };

  test("estimate resolves to null if the source does not answer in time", async () => {
    expect(await startOver(async () => never)).toBeNull();
  });

  test("estimate resolves to Infinity if the source is still counting at the timeout", async () => {
    expect(await startOver(async (work) => work({ execute: async () => never } as never))).toBe(Infinity);
  });
});

test("a counted type does not ask a source again shortly after it did not answer", async () => {
  let asked = 0;
  await using silent = createServer((socket) => {
    asked++;
    socket.on("error", () => undefined).resume();
  }).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const away = createSourceDatabases({ away: { url: `postgres://r:p@127.0.0.1:${port}/none`, engine: "citus" } });
  const { estimate } = createRowEstimator(database, away, { timeoutMs: 60_000 });
  expect(await estimate(typeOver("far_small", "away"), {}, "UTC")).toBeNull();
  const first = asked;
  expect(first).toBeGreaterThan(0);
  expect(await estimate(typeOver("far_small", "away"), {}, "UTC")).toBeNull();
  expect(asked).toBe(first);
  await away.get("away")!.close();
}, 30_000);

test("a type with a missing view does not affect estimates of its source's other types", async () => {
  await client.unsafe(
    "create table if not exists counted as select n as id, 'PAID' as state from generate_series(1, 30000) as n",
  );
  await client.unsafe("analyze counted");
  expect(await estimateOf(typeOver("no_such_view"))).toEqual({ rows: null, rowsAre: null, fits: null });
  expect(await sizes.estimate(typeOver("counted"), {}, "UTC")).toBe(30_000);
});

test("with a shard down, the estimate has no rows and the lane is quick", async () => {
  await shards.servers[0]!.stop("immediate", { keepData: true });
  for (const view of ["far_small", "far_large", "all_small"]) {
    const type = typeOver(view);
    expect(await estimateOf(type)).toEqual({ rows: null, rowsAre: null, fits: null });
    expect(await laneOf(type)).toBe("quick");
  }
});
