import { randomBytes } from "node:crypto";
import { text as readText } from "node:stream/consumers";
import { builtInReportTypes, type ReportTypeDefinition, type RowRequest, type ViewRows } from "@reports/core/report";
import { StoreUnavailableError } from "@reports/core/base";
import { defineReportTypes } from "@reports/core/report-type";
import { createFaultProxy, createTestDatabases, isFullTestRun, type FaultProxy } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bindNullParameter, createViewRelation } from "../relations/view-relation.ts";
import { findUnusableReportTypes, compareReportViews } from "./find-unusable-report-types.ts";
import { createRowSourceReader } from "./report-source.ts";
import { createMultiSourceReader } from "./report-sources.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

function typeOver(view: string, changes: Partial<ViewRows> = {}): ReportTypeDefinition {
  const rows: ViewRows = {
    kind: "view",
    view,
    id: "id",
    columns: { name: { column: "name", type: "text" }, state: { column: "state", type: "text" } },
    ...changes,
  };
  const columns = Object.keys(rows.columns).map((key) => ({ key, title: key, kind: "text" as const }));
  return defineReportTypes([
    { definition: { type: "VIEWED", version: 1, title: "Viewed", columns, rows }, authority: "A" },
  ]).reportTypes[0]!.definition;
}

function requestOf(definition: ReportTypeDefinition, changes: Partial<RowRequest> = {}): RowRequest {
  return {
    definition,
    columns: definition.columns,
    searchParam: {},
    sort: [],
    timezone: "UTC",
    statementTimeoutMs: 60_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

describe("report types over views of another application", () => {
  let url: string;
  let client: Sql;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const clone = await cloneDatabase();
    drop = async () => clone[Symbol.asyncDispose]();
    url = clone.url;
    client = postgres(url, { max: 1, onnotice: () => undefined });
    await client.unsafe(`
      create schema shop;
      create type shop.state as enum ('OPEN', 'PAID');
      create domain shop.label as text check (value <> '');
      create domain shop.whole as integer;
      create table shop.orders (id uuid primary key default gen_random_uuid(), name shop.label, state shop.state, size shop.whole, at timestamptz default now());
      insert into shop.orders (name, state, size) values ('b', 'PAID', 2), ('a', 'OPEN', 1);
      create view shop.open_orders as select * from shop.orders where state = 'OPEN';
      create materialized view shop.kept_orders as select * from shop.orders;
      create table shop.parts (id integer, name text, state text) partition by range (id);
      create table shop.parts_1 partition of shop.parts for values from (1) to (10);
      insert into shop.parts values (1, 'a', 'OPEN'), (2, 'b', 'PAID');`);
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  const source = () => createRowSourceReader({ url });
  const read = async (definition: ReportTypeDefinition, changes: Partial<RowRequest> = {}): Promise<string> =>
    readText((await source().open(requestOf(definition, changes))).bytes);
  const faultOf = async (definition: ReportTypeDefinition, at = url) => {
    const { unusable, unknown } = await findUnusableReportTypes([definition], {
      main: { url: at, engine: "postgres" },
    });
    expect([...unknown]).toEqual([]);
    return unusable.get("VIEWED") ?? null;
  };
  const asRole = (role: string): string => {
    const other = new URL(url);
    other.username = role;
    other.password = "p";
    return other.href;
  };

  test.each([
    ["a table with an enumeration and a domain", "shop.orders", "a,OPEN\nb,PAID\n"],
    ["a view", "shop.open_orders", "a,OPEN\n"],
    ["a materialised view", "shop.kept_orders", "a,OPEN\nb,PAID\n"],
    ["a partitioned table", "shop.parts", "a,OPEN\nb,PAID\n"],
  ])("a report reads the rows of %s", async (_, view, rows) => {
    const definition = typeOver(view);
    expect(await faultOf(definition)).toBeNull();
    expect(await read(definition, { sort: [{ key: "name", descending: false }] })).toBe(rows);
  });

  const countWorkers = async (
    options: { readonly parallelWorkers?: number; readonly primaryUrl?: string },
    changes: Pick<RowRequest, "withSummary" | "attempt">,
  ): Promise<string> => {
    await client.unsafe(`
      create or replace view shop.workers as
        select 1 as id, current_setting('max_parallel_workers_per_gather') as name, current_setting('transaction_read_only') as state`);
    const request = requestOf(typeOver("shop.workers"), changes);
    return readText((await createRowSourceReader({ url, ...options }).open(request)).bytes);
  };

  test.each([
    [0, "0"],
    [1, "1"],
    [8, "2"],
  ])("parallelWorkers %s limits a query's workers, up to the server's own limit", async (parallelWorkers, seen) => {
    expect(await countWorkers({ parallelWorkers }, { withSummary: false })).toBe(`${seen},on\n`);
    expect(await countWorkers({ parallelWorkers, primaryUrl: url }, { withSummary: true })).toBe(`${seen},on\n`);
  });

  test("by default, only a report with a summary that reads the API's server has no parallel workers", async () => {
    const other = new URL(url);
    other.searchParams.set("application_name", "primary");
    const none = "0,on\n";
    const allowed = "2,on\n";
    expect(await countWorkers({ primaryUrl: url }, { withSummary: true })).toBe(none);
    expect(await countWorkers({ primaryUrl: url }, { withSummary: false })).toBe(allowed);
    expect(await countWorkers({ primaryUrl: other.href }, { withSummary: true })).toBe(allowed);
    expect(await countWorkers({ primaryUrl: other.href }, { withSummary: true, attempt: 3 })).toBe(none);
    expect(await countWorkers({}, { withSummary: true })).toBe(allowed);
  });

  test("a report rejects as retryable if the server of its foreign table is unavailable", async () => {
    const { hostname, port, pathname, username, password } = new URL(url);
    await client.unsafe(`
      create extension postgres_fdw;
      create server far foreign data wrapper postgres_fdw options (host '${hostname}', port '${port}', dbname '${pathname.slice(1)}');
      create user mapping for current_user server far options (user '${username}', password '${password}');
      create foreign table shop.far_parts (id integer, name text, state text) server far options (schema_name 'shop', table_name 'parts')`);
    const definition = typeOver("shop.far_parts");
    expect(await faultOf(definition)).toBeNull();
    expect(await read(definition, { sort: [{ key: "state", descending: true }] })).toBe("b,PAID\na,OPEN\n");
    await client.unsafe("alter server far options (set port '1')");
    await expect(read(definition)).rejects.toThrow(StoreUnavailableError);
  });

  test("a view and its columns may have SQL keywords or placeholders as names", async () => {
    await client.unsafe(`
      create table shop."select" (id integer, "order" text, "$1" text, "a$2b" text);
      insert into shop."select" values (1, 'x', 'one', 'two'), (2, 'y', 'three', 'four')`);
    const definition: ReportTypeDefinition = {
      ...typeOver("shop.select", {
        columns: {
          order: { column: "a$2b", type: "text", rankedBy: "id" },
          a$2b: { column: "order", type: "text" },
        },
      }),
      filters: [{ name: "order", operator: "in", value: "text", columns: ["a$2b"], description: "" }],
    };
    expect(await faultOf(definition)).toBeNull();
    expect(await read(definition, { sort: [{ key: "order", descending: true }] })).toBe("four,y\ntwo,x\n");
    expect(await read(definition, { searchParam: { order: ["x"] } })).toBe("two,x\n");
  });

  test.each([
    { descending: false, rows: "A,1\nA,3\nB,2\nB,4\n,5\nC,6\n" },
    { descending: true, rows: "C,6\nB,4\nB,2\nA,3\nA,1\n,5\n" },
  ])("values of equal rank stay together in groups (descending: $descending)", async ({ descending, rows }) => {
    await client.unsafe(`
      create or replace view shop.ranked as
        select n as id, n::text as state, (array['A', 'B', 'A', 'B', null, 'C'])[n] as name, n / 6 as rank from generate_series(1, 6) n`);
    const definition: ReportTypeDefinition = {
      ...typeOver("shop.ranked", {
        columns: {
          name: { column: "name", type: "text", rankedBy: "rank" },
          state: { column: "state", type: "text" },
        },
      }),
      groupable: ["name"],
    };
    expect(await read(definition, { sort: [{ key: "name", descending }] })).toBe(rows);
  });

  test("createViewRelation throws for an invalid name of a view or column", () => {
    const bad = ['orders"; drop table orders; --', "Orders", "shop.orders.x", "", "1a", "a b", "a".repeat(64)];
    for (const name of bad) {
      const column = { column: name.replaceAll(".", " "), type: "text" } as const;
      const changes: readonly Partial<ViewRows>[] = [
        { view: name },
        { id: column.column },
        { columns: { name: column } },
        { columns: { name: { column: "name", type: "text", rankedBy: column.column } } },
        { living: { column: column.column, isNull: true } },
      ];
      for (const change of changes) {
        const rows: ViewRows = { kind: "view", view: "shop.orders", id: "id", columns: {}, ...change };
        expect(() => createViewRelation(rows, bindNullParameter)).toThrow(/cannot be the name/);
      }
    }
  });

  test("a missing view or column makes the report type unusable, and is named", async () => {
    expect(await faultOf(typeOver("shop.nothing"))).toMatchObject({ code: "VIEW_MISSING" });
    const columns = {
      name: { column: "nam", type: "text" },
      state: { column: "state", type: "text", rankedBy: "state_rank" },
    } as const;
    expect(await faultOf(typeOver("shop.orders", { columns }))).toEqual({
      code: "COLUMN_MISSING",
      message: "shop.orders has no column nam. shop.orders has no column state_rank.",
    });
  });

  test("view columns of a wrong type make the report type unusable, and are named", async () => {
    await client.unsafe(
      `create table shop.types (id integer, small smallint, double double precision, plain timestamp, day date, wide varchar(9), codes varchar(3)[], doc json)`,
    );
    const typed = (columns: Record<string, ViewRows["columns"][string]["type"]>): ReportTypeDefinition =>
      typeOver("shop.types", {
        columns: Object.fromEntries(Object.entries(columns).map(([column, type]) => [column, { column, type }])),
      });
    expect(
      await faultOf(typed({ small: "integer", id: "numeric", wide: "text", codes: "text[]", day: "date" })),
    ).toBeNull();
    expect(await faultOf(typed({ double: "numeric", plain: "timestamptz", small: "text", codes: "text" }))).toEqual({
      code: "COLUMN_TYPE",
      message:
        "shop.types.double is double precision and not numeric: cast it in the view. shop.types.plain is timestamp without time zone and not timestamptz: cast it in the view. shop.types.small is smallint and not text: cast it in the view. shop.types.codes is character varying(3)[] and not text: cast it in the view.",
    });
    expect(await faultOf(typed({ day: "timestamptz" }))).toMatchObject({ code: "COLUMN_TYPE" });
    // A report sorts by the view's ID column. Here this column has the type json, which Postgres can't sort.
    expect(
      await faultOf(typeOver("shop.types", { id: "doc", columns: { day: { column: "day", type: "date" } } })),
    ).toEqual({
      code: "QUERY_REFUSED",
      message: "The database refuses the view's query: could not identify an ordering operator for type json (42883).",
    });
  });

  test("compareReportViews returns all differences of views and filter-value views", async () => {
    await client.unsafe(
      `create table shop.pieces (name text, size integer, at date); create view shop.sizes as select 1 as code`,
    );
    const fits = typeOver("shop.orders");
    const columns = {
      name: { column: "name", type: "integer", rankedBy: "name_rank" },
      size: { column: "size", type: "text" },
      weight: { column: "weight", type: "numeric" },
      at: { column: "at", type: "date" },
    } as const;
    const filters = (["shop.sizes", "shop.colours"] as const).map((view, index) => ({
      name: `f${index}`,
      operator: "in" as const,
      value: "text" as const,
      columns: ["name"],
      valuesFrom: { view, column: "code", title: "label" },
      description: "Values.",
    }));
    const wrong = {
      ...typeOver("shop.pieces", { columns, living: { column: "gone", isNull: true } }),
      type: "WRONG",
      filters,
    };
    const main = { main: { url, engine: "postgres" } } as const;
    const { differences, unknown } = await compareReportViews([fits, wrong], main, { withFilterValues: true });
    expect(
      Object.fromEntries([...differences].map(([type, found]) => [type, found.map(({ message }) => message)])),
    ).toEqual({
      VIEWED: [],
      WRONG: [
        "shop.pieces has no column id.",
        "shop.pieces has no column name_rank.",
        "shop.pieces has no column weight.",
        "shop.pieces has no column gone.",
        "shop.pieces.name is text and not integer: cast it in the view.",
        "shop.pieces.size is integer and not text: cast it in the view.",
        "Values of the filter f0: shop.sizes has no column label.",
        "Values of the filter f0: shop.sizes.code is integer and not text: cast it in the view.",
        "Values of the filter f1: shop.colours does not exist, or its schema may not be used by this role.",
      ],
    });
    expect([...unknown]).toEqual([]);
    const atStart = (await findUnusableReportTypes([wrong], main)).unusable.get("WRONG");
    expect(atStart).toMatchObject({ code: "COLUMN_MISSING", message: expect.not.stringContaining("filter") });
  });

  test("a report type over a view is unusable until the role may select its columns", async () => {
    const [reader, owner] = ["reader", "owner"].map((name) => `${name}_${randomBytes(6).toString("hex")}`);
    await client.unsafe(`create role ${reader} login password 'p'; create role ${owner}`);
    const definition = typeOver("shop.orders");
    const at = asRole(reader!);
    expect(await faultOf(definition, at)).toMatchObject({ code: "VIEW_MISSING" });
    await client.unsafe(`grant usage on schema shop to ${reader}`);
    expect(await faultOf(definition, at)).toEqual({
      code: "VIEW_NOT_READABLE",
      message: "This role may not read shop.orders: grant select on it (id, name, state).",
    });
    const opening = createRowSourceReader({ url: at }).open(requestOf(definition));
    await expect(opening).rejects.toMatchObject({ because: "TYPE_UNUSABLE" });
    await client.unsafe(`grant select (id, name, state) on shop.orders to ${reader}`);
    expect(await faultOf(definition, at)).toBeNull();
    // The view's owner lacks rights on the table. The catalog doesn't show that, so only the query fails.
    await client.unsafe(`create table shop.base (id integer, name text, state text);
      create view shop.blind as select * from shop.base; grant usage on schema shop to ${owner};
      alter view shop.blind owner to ${owner}; grant select on shop.blind to ${reader}`);
    expect(await faultOf(typeOver("shop.blind"), at)).toMatchObject({ code: "QUERY_REFUSED" });
    await client.unsafe(`drop owned by ${reader}, ${owner}; drop role ${reader}, ${owner}`);
  });

  test("a report rejects with TYPE_UNUSABLE after a column was dropped or changed", async () => {
    await client.unsafe(
      `create table shop.live (id integer, name text, state text, size integer); insert into shop.live values (1, 'a', 'OPEN', 1)`,
    );
    const columns = {
      name: { column: "name", type: "text" },
      state: { column: "state", type: "text" },
      size: { column: "size", type: "integer" },
    } as const;
    const definition = typeOver("shop.live", { columns });
    const kept = createRowSourceReader({ url, reuseMs: 60_000 });
    const shown = definition.columns.filter(({ key }) => key === "name");
    const readKept = async () => readText((await kept.open(requestOf(definition, { columns: shown }))).bytes);
    expect(await readKept()).toBe("a\n");
    await client.unsafe("alter table shop.live drop column state");
    await expect(readKept()).rejects.toMatchObject({ because: "TYPE_UNUSABLE" });
    await client.unsafe("alter table shop.live add column state text, alter column size type text");
    await expect(readKept()).rejects.toThrow(/type of size has changed/);
    await client.unsafe("alter table shop.live alter column size type integer using size::integer");
    expect(await readKept()).toBe("a\n");
  });

  test("a running report locks its view against changes of columns", async () => {
    await client.unsafe(
      "create table shop.steady as select n as id, repeat('x', 1000) as name, 'OPEN' as state from generate_series(1, 20000) as n",
    );
    const rows = await source().open(requestOf(typeOver("shop.steady")));
    await expect(
      client.unsafe("set lock_timeout = '50ms'; alter table shop.steady drop column name; reset lock_timeout"),
    ).rejects.toMatchObject({ code: "55P03" });
    await client.unsafe("reset lock_timeout");
    expect((await readText(rows.bytes)).length).toBe(20_000 * 1006);
  });

  test("the engine citus gives no total, a snapshot warning and a row limit", async () => {
    const citus = await createRowSourceReader({ url, engine: "citus" }).open(requestOf(typeOver("shop.orders")));
    citus.bytes.destroy();
    expect([citus.rowsTotal, citus.warnings?.map(({ code }) => code)]).toEqual([null, ["SNAPSHOT_NOT_GLOBAL"]]);
    await client.unsafe(
      "create view shop.many as select n as id, '' as name, '' as state from generate_series(1, 1001) as n, generate_series(1, 5000)",
    );
    const many = createRowSourceReader({ url, engine: "citus" }).open(requestOf(typeOver("shop.many")));
    await expect(many).rejects.toMatchObject({ code: "REPORT_TOO_LARGE" });
    const { unusable } = await findUnusableReportTypes([typeOver("shop.orders")], {
      main: { url, engine: "pg_clickhouse" },
    });
    expect(unusable.get("VIEWED")).toMatchObject({ code: "ENGINE_MISSING" });
  });
});

describe("report types over several sources", () => {
  let billing: { url: string; proxied: string; proxy: FaultProxy };
  let edge: string;
  const drops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const makeOf = async (name: string): Promise<string> => {
      const clone = await cloneDatabase();
      drops.unshift(async () => clone[Symbol.asyncDispose]());
      const client = postgres(clone.url, { max: 1 });
      await client.unsafe(
        `create table items (id integer, name text, state text); insert into items values (1, '${name}', '')`,
      );
      await client.end();
      return clone.url;
    };
    edge = await makeOf("edge");
    const url = await makeOf("billing");
    const { hostname, port } = new URL(url);
    const proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
    drops.unshift(async () => proxy[Symbol.asyncDispose]());
    const proxied = new URL(url);
    proxied.port = String(proxy.port);
    billing = { url, proxied: proxied.href, proxy };
  });
  afterAll(async () => {
    for (const drop of drops) await drop();
  });

  const typeOf = (source: string): ReportTypeDefinition => ({
    ...typeOver("items", { source, columns: { name: { column: "name", type: "text" } } }),
    type: source.toUpperCase(),
  });
  const sources = () =>
    ({
      main: { url: edge, engine: "postgres" },
      edge: { url: edge, engine: "postgres" },
      billing: { url: billing.proxied, engine: "postgres" },
    }) as const;

  test("each type reads from its own source, even if another source is unavailable", async () => {
    const reader = createMultiSourceReader(sources(), { reuseMs: 60_000 });
    const read = async (source: string) => readText((await reader.open(requestOf(typeOf(source)))).bytes);
    const check = async () => findUnusableReportTypes(["edge", "billing", "ghost"].map(typeOf), sources());
    expect([await read("edge"), await read("billing")]).toEqual(["edge\n", "billing\n"]);
    await expect(read("ghost")).rejects.toThrow(/ghost, which is not configured/);
    await billing.proxy.set({ kind: "refuse" });
    try {
      await expect(read("billing")).rejects.toThrow(StoreUnavailableError);
      expect(await read("edge")).toBe("edge\n");
      const away = await check();
      expect([[...away.unusable.keys()], [...away.unknown]]).toEqual([["GHOST"], ["BILLING"]]);
    } finally {
      await billing.proxy.set({ kind: "none" });
    }
    await billing.proxy.set({ kind: "black-hole" });
    try {
      const silent = await findUnusableReportTypes(["edge", "billing"].map(typeOf), sources(), {
        timeoutMs: isFullTestRun ? 15_000 : 3_000,
      });
      expect([[...silent.unusable], [...silent.unknown]]).toEqual([[], ["BILLING"]]);
    } finally {
      await billing.proxy.set({ kind: "none" });
    }
    expect(await read("billing")).toBe("billing\n");
    const back = await check();
    expect([[...back.unusable], [...back.unknown]]).toEqual([
      [["GHOST", { code: "SOURCE_NOT_CONFIGURED", message: expect.stringContaining("ghost") }]],
      [],
    ]);
  });

  test("a report reads the first host that answers, and errors contain no password", async () => {
    const { username, password, host, pathname } = new URL(edge);
    const url = `postgres://${username}:${password || "p"}@127.0.0.1:1,${host}${pathname}`;
    const reader = createMultiSourceReader({
      main: { url: edge, engine: "postgres" },
      edge: { url, engine: "postgres" },
    });
    expect(await readText((await reader.open(requestOf(typeOf("edge")))).bytes)).toBe("edge\n");
    const nowhere = { url: "postgres://u:canary@127.0.0.1:1,127.0.0.1:2/d", engine: "postgres" } as const;
    const failed = await createMultiSourceReader({ main: nowhere })
      .open(requestOf(builtInReportTypes[0]!))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreUnavailableError);
    for (let cause = failed; cause instanceof Error; cause = cause.cause)
      expect(`${cause.message} ${cause.stack}`).not.toContain("canary");
  });
});
