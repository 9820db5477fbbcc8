import { reportFilters, reportSorts, type CollectionQuery, type KeysetPosition, type SearchParam } from "@reports/core";
import { createTestDatabases } from "@reports/testing";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrateDatabase } from "./migrate-database.ts";
import { listReports } from "./report-list.ts";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const limit = 20;
const records = 20_000;
let clone: Awaited<ReturnType<typeof databases.cloneDatabase>>;
let owner: postgres.Sql;

beforeAll(async () => {
  clone = await databases.cloneDatabase();
  owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  // 200 of the rare type, 25 of each of fifty others, and the rest of one.
  await owner.unsafe(`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures,
      created_at, finished_at, error_code, deleted_at)
    select gen_random_uuid(), case when number % 100 = 7 then 'RARE' when number % 16 = 5 then 'TYPE_' || number % 50 else 'COMMON' end, 1, 't', status, '{}',
      jsonb_build_object('format', case when number % 300 = 7 then 'json' when number % 3 = 0 then 'csv' else 'pdf' end, 'csvBom', true,
        'compression', 'none', 'columns', '[]'::jsonb, 'sort', '[]'::jsonb, 'groupBy', null, 'timezone', 'UTC', 'locale', 'en'),
      'principal-' || number % 37, 'waiting', 3, timestamptz '2026-01-01' + number * interval '1 minute',
      case when status <> 'QUEUED' then timestamptz '2026-01-01' + (number * 7919 % ${records}) * interval '1 minute' end,
      case when status = 'FAILED' then 'INTERNAL' end, case when number % 20 = 3 then now() end
    from (select number, case when number % 50 = 7 then 'QUEUED' when number % 10 = 7 then 'FAILED' else 'CANCELLED' end as status
      from generate_series(1, ${records}) as number) as drawn`);
  await owner.unsafe("vacuum (analyze) reports");
}, 120_000);
afterAll(async () => {
  await owner.end();
  await clone[Symbol.asyncDispose]();
});

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

interface Cost {
  readonly scans: readonly string[];
  /** Read from the table or its indexes, whether they count or not. */
  readonly rows: number;
  /** Of eight KiB. */
  readonly blocks: number;
}

/** What Postgres does for the statement that the list sends. */
async function costOf(query: CollectionQuery & { readonly reportTypes: readonly string[] }) {
  const statements: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const queries = drizzle(owner, { logger: { logQuery: (text, values) => statements.push({ text, values }) } });
  const page = await listReports(queries, query);
  expect(statements).toHaveLength(1);
  const [{ text, values }] = statements as [(typeof statements)[number]];
  const [row] = await owner.unsafe(
    `explain (analyze, buffers, timing off, format json) ${text}`,
    values as postgres.ParameterOrJSON<never>[],
  );
  const root = (row!["QUERY PLAN"] as [{ readonly Plan: PlanNode }])[0].Plan;
  const reads = nodesOf(root).filter((node) => node["Relation Name"] === "reports");
  const cost: Cost = {
    scans: [...new Set(reads.map((node) => node["Node Type"]))].toSorted(),
    rows: reads.reduce(
      (sum, node) => sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      0,
    ),
    blocks: root["Shared Hit Blocks"] + root["Shared Read Blocks"],
  };
  return { page, cost };
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** Each filter with values that some of the rare type's reports have, few and many. */
const filters: Readonly<Record<string, readonly SearchParam[string][]>> = {
  reportType: [["RARE"], ["COMMON", "RARE"]],
  status: [["QUEUED"], ["FAILED"], ["CANCELLED", "FAILED"]],
  format: [["json"], ["csv", "pdf"]],
  requestedBy: [["principal-7"], ["principal-1", "principal-2", "nobody"]],
  createdFrom: ["2026-01-14T00:00:00.000Z"],
  createdTo: ["2026-01-02T00:00:00.000Z", "2026-01-14T00:00:00.000Z"],
};
const newest = [{ key: "createdAt", descending: true }];
const lists: readonly (readonly [string, Pick<CollectionQuery, "filters" | "sort">, number])[] = [
  ...reportSorts.flatMap((key) =>
    [false, true].map((descending) => {
      const sort = [{ key, descending }];
      return [`sort=${descending ? "-" : ""}${key}`, { filters: {}, sort }, 1] as const;
    }),
  ),
  ...reportFilters.flatMap(({ name }) =>
    filters[name]!.map((value) => {
      const values = Array.isArray(value) ? value.length : 1;
      return [`${name}=${String(value)}`, { filters: { [name]: value }, sort: newest }, values] as const;
    }),
  ),
];
const fifty = Array.from({ length: 50 }, (_, index) => `TYPE_${index}`);

test.each(
  lists.flatMap(([name, query, values]) =>
    [["RARE"], ["COMMON", "RARE"], [...fifty, "RARE"]].map(
      (types) => [name, `${types.length} type(s)`, query, values, types] as const,
    ),
  ),
)("%s reads few rows for a caller of %s, on the first page and later", async (_name, _caller, query, values, types) => {
  let after: KeysetPosition | null = null;
  for (let number = 1; number <= 5; number++) {
    const { page, cost }: Awaited<ReturnType<typeof costOf>> = await costOf({
      ...query,
      limit,
      after,
      count: false,
      reportTypes: types,
    });
    // A page of each part and segment, and the whole rows of one page.
    const most = (limit + 1) * (types.length * values * 2 + 1);
    expect([number, cost.scans.filter((scan) => !scan.startsWith("Index"))]).toEqual([number, []]);
    expect([number, cost.rows]).toEqual([number, Math.min(cost.rows, most)]);
    expect([number, cost.blocks]).toEqual([number, Math.min(cost.blocks, 6 * most)]);
    if (page.next === null) break;
    after = page.next;
  }
});
