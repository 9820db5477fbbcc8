import { reportListFilters, reportSortFields } from "@reports/core/report";
import type { CollectionQuery, KeysetPosition, SearchParam } from "@reports/core/query";
import { createTestCaseDivider, createTestDatabases, isFullTestRun } from "@reports/testing";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { listReports } from "./report-list.ts";
import { measureStatementCost } from "../collections/statement-cost.fixture.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const limit = 20;
const records = 20_000;
const [rareSchedule, busySchedule] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"];
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let owner: postgres.Sql;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await owner.unsafe(`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures,
      created_at, finished_at, error_code, deleted_at, schedule_id)
    select gen_random_uuid(), case when number % 100 = 7 then 'RARE' when number % 16 = 5 then 'TYPE_' || number % 50 else 'COMMON' end, 1,
      case when number % 4000 in (7, 9) then 'Rare review' when number < 1500 then 'Old list' else 'Common list ' || number % 5 end, status, '{}',
      jsonb_build_object('format', case when number % 300 = 7 then 'json' when number % 3 = 0 then 'csv' else 'pdf' end, 'csvBom', true,
        'compression', 'none', 'columns', '[]'::jsonb, 'sort', '[]'::jsonb, 'groupBy', null, 'timezone', 'UTC', 'locale', 'en'),
      'principal-' || number % 37, 'waiting', 3, timestamptz '2026-01-01' + number * interval '1 minute',
      case when status <> 'QUEUED' then timestamptz '2026-01-01' + (number + number * 7919 % 600) * interval '1 minute' end,
      case when status = 'FAILED' then 'INTERNAL' end, case when number % 20 = 3 then now() end,
      case when number % 400 = 7 then uuid '${rareSchedule}' when number % 21 = 3 then uuid '${busySchedule}' end
    from (select number, case when number % 50 = 7 then 'QUEUED' when number % 10 = 7 then 'FAILED' else 'CANCELLED' end as status
      from generate_series(1, ${records}) as number) as drawn`);
  await owner.unsafe("vacuum (analyze) reports");
}, 120_000);
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

const filters: Readonly<Record<string, readonly SearchParam[string][]>> = {
  reportType: [["RARE"], ["COMMON", "RARE"]],
  status: [["QUEUED"], ["FAILED"], ["CANCELLED", "FAILED"]],
  format: [["json"], ["csv", "pdf"]],
  requestedBy: [["principal-7"], ["principal-1", "principal-2", "nobody"]],
  scheduleId: [[rareSchedule], [rareSchedule, busySchedule]],
  createdFrom: ["2026-01-14T00:00:00.000Z"],
  createdTo: ["2026-01-02T00:00:00.000Z", "2026-01-14T00:00:00.000Z"],
};
// The title search `q` is left out, because it reads a large part of a table of this size.
const indexedFilters = reportListFilters.filter(({ name }) => name !== "q");
const newest = [{ key: "createdAt", descending: true }];
const lists: readonly (readonly [string, Pick<CollectionQuery, "filters" | "sort">, number])[] = [
  ...reportSortFields.flatMap((key) =>
    [false, true].map((descending) => {
      const sort = [{ key, descending }];
      return [`sort=${descending ? "-" : ""}${key}`, { filters: {}, sort }, 1] as const;
    }),
  ),
  ...indexedFilters.flatMap(({ name }) =>
    filters[name]!.map((value) => {
      const values = Array.isArray(value) ? value.length : 1;
      return [`${name}=${String(value)}`, { filters: { [name]: value }, sort: newest }, values] as const;
    }),
  ),
];
const select = createTestCaseDivider();
const fifty = Array.from({ length: 50 }, (_, index) => `TYPE_${index}`);

test.each(
  lists.flatMap(([name, query, values]) =>
    select([["RARE"], ["COMMON", "RARE"], [...fifty, "RARE"]], 3).map(
      (types) => [name, `${types.length} type(s)`, query, values, types] as const,
    ),
  ),
)(
  "a page of the list %s for a caller who sees %s reads few rows beyond its own",
  async (_name, _caller, query, values, types) => {
    let after: KeysetPosition | null = null;
    for (let number = 1; number <= (isFullTestRun ? 5 : 2); number++) {
      const request: Parameters<typeof listReports>[1] = {
        ...query,
        limit,
        after,
        count: false,
        visible: { reportTypes: types, requestedBy: null },
      };
      const { result, cost } = await measureStatementCost(owner, async (database) =>
        database.query((queries) => listReports(queries, request)),
      );
      // At most `limit` + 1 rows per type, value and segment, plus the complete rows of the page. There are at most two segments: rows with a value
      // of the sort key, and rows where it is null.
      const most = (limit + 1) * (types.length * values * 2 + 1);
      expect([number, cost.otherScans]).toEqual([number, []]);
      expect(cost.rows, `rows of page ${number}`).toBeLessThanOrEqual(most);
      expect(cost.blocks, `blocks of page ${number}`).toBeLessThanOrEqual(6 * most);
      if (result.next === null) break;
      after = result.next;
    }
  },
);

const mostRead = 3_000;
const sorts = reportSortFields.flatMap((key) => [
  { key, descending: false },
  { key, descending: true },
]);
const values = indexedFilters.flatMap(({ name }) => filters[name]!.map((value) => ({ name, value })));
const pairs = values.flatMap((one, index) =>
  values
    .slice(index)
    .filter((other) => other === one || other.name !== one.name)
    .map((other) => ({
      title: [...new Set([one, other])].map(({ name, value }) => `${name}=${String(value)}`).join("&"),
      filters: { [one.name]: one.value, [other.name]: other.value },
      selected: select(sorts, sorts.length),
    })),
);

test.each(pairs)(
  "the list with $title reads at most 3,000 of 20,000 reports, in each sort order",
  async ({ filters: given, selected }) => {
    for (const sort of selected) {
      const visible = { reportTypes: ["COMMON", "RARE"], requestedBy: null };
      const { cost } = await measureStatementCost(owner, async (database) =>
        database.query((queries) =>
          listReports(queries, { filters: given, sort: [sort], limit, after: null, count: false, visible }),
        ),
      );
      const read = Math.max(cost.rows, cost.blocks, mostRead);
      const scans = cost.otherScans.filter((scan) => !scan.startsWith("Bitmap"));
      expect({ sort, read, scans }).toEqual({ sort, read: mostRead, scans: [] });
    }
  },
);

test.each(["list", "LIST 3", "rare review", "old", "nowhere"])(
  "a search for the title %s finds the same visible reports as a full table scan",
  async (q) => {
    for (const visible of [
      { reportTypes: ["COMMON"], requestedBy: null },
      { reportTypes: [...fifty, "RARE", "COMMON"], requestedBy: null },
      { reportTypes: ["RARE", "COMMON"], requestedBy: "principal-7" },
    ])
      for (const sort of select(sorts, sorts.length)) {
        const query = { filters: { q }, sort: [sort], limit, after: null, count: true, visible };
        const { result } = await measureStatementCost(owner, async (database) =>
          database.query((queries) => listReports(queries, query)),
        );
        const column = sort.key === "createdAt" ? "created_at" : "finished_at";
        const direction = sort.descending ? "desc" : "asc";
        const rows = await owner.unsafe<{ id: string }[]>(
          `select id from reports where deleted_at is null and report_type = any ($1) and requested_by = coalesce($2, requested_by)
              and position($3 in lower(title)) > 0
            order by ${column} ${direction} nulls last, id ${direction}`,
          [visible.reportTypes, visible.requestedBy, q.toLowerCase()],
        );
        expect(result.items.map(({ id }) => id)).toEqual(rows.slice(0, limit).map(({ id }) => id));
        expect(result.total).toBe(Math.min(rows.length, 10_001));
      }
  },
);
