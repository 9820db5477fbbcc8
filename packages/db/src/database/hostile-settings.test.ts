import { text as readText } from "node:stream/consumers";
import { builtInReportTypes, unlimitedStarts, type ReportTypeDefinition } from "@reports/core/report";
import { newestFirstSort } from "@reports/core/record";
import {
  applyHostileSettings,
  createTestCaseDivider,
  createTestDatabases,
  generateDemoInventory,
  hostileSettings,
  isFullTestRun,
  makeNewReport,
  type SettingTreatment,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDomainStore } from "../collections/inventory-collections.ts";
import { copyIntoInventory } from "../inventory/copy-into-inventory.ts";
import { readMigrationState } from "../migrations/database-version.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDatabaseRoles } from "../migrations/roles.ts";
import { createReportLists } from "../reports/report-list.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createReportPreviewReader } from "../rows/report-preview-reader.ts";
import { createRowSourceReader } from "../rows/report-source.ts";
import { createRowEstimator } from "../rows/row-estimator.ts";
import { conformanceType, createConformanceTable } from "../rows/source-conformance.fixture.ts";
import { createDatabase } from "./database.ts";
import { createListConnectionPool } from "./list-connection-pool.ts";
import { readSessionSettingNames } from "./session-setting-names.fixture.ts";

// The usual records of other owners are compared by their text form, which hostile settings change. So these databases have none.
const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const empty = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = new AbortController();
const page = { sort: newestFirstSort, limit: 20, after: null, count: true, parentId: null };
/** The inventory is of today. The days until a certificate of it expires then don't change while these tests run. */
const inventory = { proxies: 5, domains: 60, asOf: new Date() };
const visible = { reportTypes: [makeNewReport().reportType], requestedBy: null };
/** The columns of this report type are not texts in its view. The query casts them to text, whose form depends on session settings. */
const castsType: ReportTypeDefinition = {
  ...builtInReportTypes[0]!,
  type: "CASTS",
  columns: ["span", "bytes", "ratio", "day", "at", "names"].map((key) => ({
    key,
    title: key,
    kind: "text",
    width: 20,
  })),
  filters: [],
  where: [],
  defaultSort: [{ key: "span", descending: false }],
  summary: { figures: [], charts: [] },
  rows: {
    kind: "view",
    view: "casts",
    source: "main",
    id: "id",
    columns: Object.fromEntries(
      ["span", "bytes", "ratio", "day", "at", "names"].map((key) => [key, { column: key, type: "text" }]),
    ),
  },
};
const casts = `create view public.casts as select 1 as id, interval '3 days 04:05:06' as span, '\\xdeadbeef'::bytea as bytes,
  0.1::float8 + 0.2::float8 as ratio, date '2026-02-01' as day, timestamptz '2026-02-01 10:00Z' as at, array['a', null, 'NULL'] as names`;
const types = [...builtInReportTypes, conformanceType];
type Tried = Extract<SettingTreatment, { readonly value: string }>;
const tried = Object.entries(hostileSettings).filter((entry): entry is [string, Tried] => "value" in entry[1]);
const unusable = Object.entries(hostileSettings).flatMap(([name, setting]) =>
  "unusable" in setting ? [[name, setting.unusable] as const] : [],
);

let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let admin: Sql;
let known: ReadonlySet<string>;
let expected: Awaited<ReturnType<typeof readAll>>;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  await copyIntoInventory({ databaseUrl: clone.url, ...generateDemoInventory(inventory) });
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await createConformanceTable(owner, "postgres");
  await owner.unsafe(casts);
  await owner.end();
  admin = postgres(new URL("/postgres", clone.url).href, { max: 1, onnotice: () => undefined });
  known = new Set(await readSessionSettingNames(admin));
  expected = await readAll();
}, 120_000);

afterAll(async () => {
  await admin?.end();
  await clone?.[Symbol.asyncDispose]();
});

async function readRows(definition: ReportTypeDefinition, url: string = clone.url): Promise<string> {
  const { columns } = definition;
  const sort = definition.defaultSort.map(({ key, descending }) => ({ key, descending }));
  const rows = await createRowSourceReader({ url }).open({
    definition,
    searchParam: {},
    columns,
    sort,
    timezone: "Asia/Kolkata",
    statementTimeoutMs: 60_000,
    signal,
  });
  return JSON.stringify([rows.summary, rows.rowsTotal, await readText(rows.bytes)]);
}

async function readAll() {
  const database = createDatabase({ url: clone.url, max: 2 });
  const lists = createListConnectionPool({ url: clone.url, max: 1, deadlineMs: 30_000 });
  const sources = { main: { url: clone.url, engine: "postgres" } } as const;
  const previews = createReportPreviewReader(
    sources,
    { connections: 1, deadlineMs: 30_000 },
    createRowEstimator(database, new Map()),
  );
  try {
    await database.check();
    const { report } = await createReportStore(database).createQueued(makeNewReport(), unlimitedStarts);
    const { items } = await createReportLists(lists).list({ ...page, filters: {}, visible }, signal);
    const domains = createDomainStore(database, lists);
    return {
      isCurrent: (await readMigrationState({ databaseUrl: clone.url })).current,
      isListed: items.some(({ id, createdAt }) => id === report.id && +createdAt === +report.createdAt),
      domains: await domains.list({ ...page, filters: { q: "example" } }, signal),
      previews: await Promise.all(
        types.map(async (definition) =>
          previews.readRows(
            {
              definition,
              columns: definition.columns,
              searchParam: {},
              sort: definition.defaultSort.map(({ key, descending }) => ({ key, descending })),
              timezone: "Asia/Kolkata",
              limit: 5,
            },
            signal,
          ),
        ),
      ),
      rows: await Promise.all(types.map(async (definition) => readRows(definition))),
    };
  } finally {
    await previews.close();
    await lists.close();
    await database.close();
  }
}

async function withDefaults<T>(settings: readonly (readonly [string, string])[], work: () => Promise<T>): Promise<T> {
  try {
    for (const [name, value] of settings)
      await admin.unsafe(`alter database "${clone.name}" set ${name} to '${value}'`);
    return await work();
  } finally {
    await admin.unsafe(`alter database "${clone.name}" reset all`);
  }
}

test("with usual database settings, lists, previews and reports return rows", () => {
  expect(expected).toMatchObject({ isCurrent: true, isListed: true });
  expect(expected.domains.items.length).toBeGreaterThan(5);
  expect(expected.rows.every((text) => text.length > 1_000)).toBe(true);
});

const triedAlone = tried.flatMap(([name, { value, alone }]) => (alone === true ? [[name, value] as const] : []));
test.each(createTestCaseDivider()(triedAlone, 6))(
  "the database default %s = %j changes no list, preview or report",
  async (name, value) => {
    if (!known.has(name)) return;
    expect(await withDefaults([[name, value]], readAll)).toEqual(expected);
  },
  60_000,
);

test("database defaults such as IntervalStyle do not change a column cast to text", async () => {
  const settings = [
    ["DateStyle", "German, DMY"],
    ["IntervalStyle", "iso_8601"],
    ["bytea_output", "escape"],
    ["extra_float_digits", "-15"],
  ] as const;
  const usual = await readRows(castsType);
  expect(usual).toContain("3 days 04:05:06");
  expect(await withDefaults(settings, async () => readRows(castsType))).toBe(usual);
});

test("the search path of a source database decides where its views are found", async () => {
  const usual = await readRows(castsType);
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await owner.unsafe("create schema apart; alter view public.casts set schema apart");
  await owner.end();
  await expect(readRows(castsType)).rejects.toMatchObject({ because: "TYPE_UNUSABLE" });
  expect(await withDefaults([["search_path", "apart"]], async () => readRows(castsType))).toBe(usual);
});

test.each(unusable)(
  "a process is not ready if starts fail because of the database default %s = %j",
  async (name, value) => {
    if (!known.has(name)) return;
    await withDefaults([[name, value]], async () => {
      const database = createDatabase({ url: clone.url, max: 1 });
      await expect(database.check()).rejects.toThrow();
      await database.close();
    });
  },
);

test("unusual database defaults, set together, change no list, preview or report", async () => {
  const settings = tried.flatMap(([name, { value, alone }]) =>
    alone !== true && known.has(name) ? [[name, value] as const] : [],
  );
  expect(await withDefaults(settings, readAll)).toEqual(expected);
}, 60_000);

/** Copies an inventory into a database with hostile settings, resets the settings, and returns the rows of the built-in reports. */
async function fillAndRead({ name, url }: typeof clone): Promise<readonly string[]> {
  await copyIntoInventory({ databaseUrl: url, ...generateDemoInventory(inventory) });
  await admin.unsafe(`alter database "${name}" reset all`);
  return Promise.all(builtInReportTypes.map(async (definition) => readRows(definition, url)));
}

test("a database filled under unusual defaults has the same content", async () => {
  await using hostile = await databases.cloneDatabase();
  await applyHostileSettings(hostile.url);
  expect(await fillAndRead(hostile)).toEqual(expected.rows.slice(0, builtInReportTypes.length));
}, 60_000);

// In every run, the test above fills a database that was migrated under usual defaults. Migration and roles take most of the time.
test.runIf(isFullTestRun)(
  "a database migrated and filled under unusual defaults has the same content",
  async () => {
    await using hostile = await empty.cloneDatabase();
    await applyHostileSettings(hostile.url);
    await migrateDatabase({ databaseUrl: hostile.url });
    expect(await createDatabaseRoles({ databaseUrl: hostile.url })).toEqual([]);
    expect(await fillAndRead(hostile)).toEqual(expected.rows.slice(0, builtInReportTypes.length));
  },
  120_000,
);

test("every setting that a session may change is in the table of hostile settings", () => {
  expect([...known].filter((name) => !Object.hasOwn(hostileSettings, name))).toEqual([]);
});
