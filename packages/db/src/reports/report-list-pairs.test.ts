import { reportSortFields } from "@reports/core/report";
import type { CollectionPage, SearchParam, SortKey } from "@reports/core/query";
import { createTestCaseDivider, createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createListConnectionPool, type ListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { insertListTestRows } from "./insert-list-test-rows.fixture.ts";
import { createReportLists } from "./report-list.ts";

const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const schedule = "00000000-0000-7000-8000-000000000009";
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let lists: ListConnectionPool;
let owner: postgres.Sql;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  lists = createListConnectionPool({ url: clone.url, deadlineMs: 30_000 });
  owner = postgres(clone.url, { max: 1 });
  await insertListTestRows(owner);
  // The fixture's times are whole days. So some reports finish before their creation, some within a day, and some later.
  await owner.unsafe(`
    update reports set
      title = (array['Über 50%_Üb', 'Über 50 _üb'])[1 + floor(random() * 2)::integer],
      options = jsonb_set(options, '{format}', to_jsonb((array['csv', 'pdf', 'json'])[1 + floor(random() * 3)::integer])),
      requested_by = (array['basic:alice', 'basic:bob'])[1 + floor(random() * 2)::integer],
      schedule_id = case when random() < 0.5 then uuid '${schedule}' end`);
});
afterAll(async () => {
  await owner.end();
  await lists.close();
  await clone[Symbol.asyncDispose]();
});

const filters: readonly (readonly [string, SearchParam[string], string])[] = [
  ["q", "50%_Ü", "title = 'Über 50%_Üb'"],
  ["reportType", ["RARE"], "report_type = 'RARE'"],
  ["status", ["CANCELLED"], "status = 'CANCELLED'"],
  ["status", ["QUEUED", "CANCELLED"], "status in ('QUEUED', 'CANCELLED')"],
  ["format", ["pdf"], "options ->> 'format' = 'pdf'"],
  ["format", ["csv", "json"], "options ->> 'format' in ('csv', 'json')"],
  ["requestedBy", ["basic:bob"], "requested_by = 'basic:bob'"],
  ["scheduleId", [schedule], `schedule_id = '${schedule}'`],
  ["createdFrom", "2026-01-03T00:00:00.000Z", "created_at >= '2026-01-03T00:00:00Z'"],
  ["createdTo", "2026-01-04T00:00:00.000Z", "created_at < '2026-01-04T00:00:00Z'"],
];
const pairs = filters.flatMap(([name, value, condition], index) =>
  filters
    .slice(index)
    .filter(([other, , same]) => other !== name || same === condition)
    .map(([other, otherValue, otherCondition]) => ({
      title: `${name}=${String(value)} and ${other}=${String(otherValue)}`,
      filters: { [name]: value, [other]: otherValue },
      where: `${condition} and ${otherCondition}`,
    })),
);
const sorts: readonly SortKey[][] = [
  ...reportSortFields.flatMap((key) => [[{ key, descending: false }], [{ key, descending: true }]]),
  [
    { key: "finishedAt", descending: true },
    { key: "createdAt", descending: false },
  ],
];
const columns: Readonly<Record<string, string>> = { createdAt: "created_at", finishedAt: "finished_at" };

const [selectSorts, selectOthers] = [createTestCaseDivider(), createTestCaseDivider()];
test.each(pairs.map((pair) => ({ ...pair, selected: selectSorts(sorts, sorts.length) })))(
  "pages of the reports with $title show each report once, in each sort order",
  async ({ filters: given, where, selected }) => {
    for (const sort of selected) {
      const terms = sort.map(({ key, descending }) => `${columns[key]!} ${descending ? "desc" : "asc"} nulls last`);
      const rows = await owner.unsafe<{ id: string }[]>(
        `select id from reports where deleted_at is null and report_type in ('COMMON', 'RARE') and ${where}
        order by ${terms.join(", ")}, id ${sort.at(-1)!.descending ? "desc" : "asc"}`,
      );
      const expected = rows.map(({ id }) => id);
      // With 2 report types, each combination has its own branch of the query. With 40 types, one branch reads all of them.
      for (const others of selectOthers([0, 38], 2))
        expect([sort, others, await walk(given, sort, others)]).toEqual([sort, others, expected]);
    }
  },
);

async function walk(given: SearchParam, sort: readonly SortKey[], others: number): Promise<string[]> {
  const reportTypes = ["RARE", "COMMON", ...Array.from({ length: others }, (_, index) => `NEVER_${index}`)];
  const seen: string[] = [];
  let after: CollectionPage<unknown>["next"] = null;
  do {
    const page = await createReportLists(lists).list(
      { filters: given, sort, limit: 7, after, count: false, visible: { reportTypes, requestedBy: null } },
      new AbortController().signal,
    );
    seen.push(...page.items.map(({ id }) => id));
    after = page.next;
  } while (after !== null);
  return seen;
}
