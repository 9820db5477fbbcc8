import { builtInReportTypes, chooseInitialReportLane, type ReportTypeDefinition } from "@reports/core/report";
import type { SearchParam } from "@reports/core/query";
import { createTestDatabases } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createRowEstimator } from "./row-estimator.ts";
import { createSourceDatabases } from "./source-databases.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const domainReport = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
const patient = { timeoutMs: 60_000, countMs: 60_000 };

test("the lane of a pdf is bulk for 22,000 domains and quick for 10 filtered ones", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1, deadlineMs: 120_000 });
  await database.query((queries) =>
    queries.execute(sql`
      insert into proxies (id, name, kind, address, port, protocol) values ('018f0000-0000-7000-8000-000000000001', 'p', 'REVERSE', 'h', 1, 'HTTP')`),
  );
  // Estimates of this test use no index. Indexes make the insert of many rows slow.
  await database.query((queries) =>
    queries.execute(sql`
      do $$ declare found regclass; begin
        for found in select indexrelid from pg_index
          where indrelid = 'domains'::regclass and not exists (select from pg_constraint where conindid = indexrelid)
        loop execute 'drop index ' || found; end loop;
      end $$`),
  );
  await database.query((queries) =>
    queries.execute(sql`
      insert into domains (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode, status)
      select gen_random_uuid(), '018f0000-0000-7000-8000-000000000001', n || '.example.org', n || '.example.org', 'HTTP', 'u', 1, 'NONE',
        case when n <= 10 then 'FAILED' else 'ACTIVE' end
      from generate_series(1, 22000) as n`),
  );
  const fresh = await createRowEstimator(database, new Map(), patient).estimate(domainReport, {}, "UTC");
  expect(fresh).toBeGreaterThan(20_000);
  await database.query((queries) => queries.execute(sql`analyze domains`));
  const { estimate } = createRowEstimator(database, new Map(), patient);
  const whole = await estimate(domainReport, {}, "UTC");
  expect(whole).toBeGreaterThan(20_000);
  expect(chooseInitialReportLane("pdf", whole)).toBe("bulk");
  expect(chooseInitialReportLane("csv", whole)).toBe("quick");
  const narrow = await estimate(domainReport, { status: ["FAILED"] }, "UTC");
  expect(narrow).toBeLessThan(5_000);
  expect(chooseInitialReportLane("pdf", narrow)).toBe("quick");
  await database.close();
});

test("if the database is unavailable, the estimate is null and the lane is quick", async () => {
  const database = createDatabase({ url: "postgres://nobody@127.0.0.1:1/none", max: 1 });
  const estimate = await createRowEstimator(database, new Map(), patient).estimate(domainReport, {}, "UTC");
  expect(estimate).toBeNull();
  expect(chooseInitialReportLane("pdf", estimate)).toBe("quick");
  await database.close();
});

test("an estimate comes from the first available host of the type's source", async () => {
  await using main = await cloneDatabase();
  await using other = await cloneDatabase();
  const { username, password, host, pathname } = new URL(other.url);
  const database = createDatabase({ url: main.url, max: 1 });
  const sources = createSourceDatabases(
    {
      billing: { url: `postgres://${username}:${password}@127.0.0.1:1,${host}${pathname}`, engine: "postgres" },
      gone: { url: "postgres://nobody@127.0.0.1:1/none", engine: "postgres" },
    },
    { connectMs: 60_000, deadlineMs: 60_000, countMs: 60_000 },
  );
  const billing = createDatabase({ url: other.url, max: 1 });
  await billing.query((queries) =>
    queries.execute(
      sql`create table items as select n as id, case when n <= 100 then 'OPEN' else 'PAID' end as state from generate_series(1, 30000) as n`,
    ),
  );
  await billing.query((queries) => queries.execute(sql`create view all_items as select * from items`));
  await billing.query((queries) => queries.execute(sql`analyze items`));
  const typeOver = (
    view: string,
    changes: Partial<ReportTypeDefinition> = {},
    source = "billing",
  ): ReportTypeDefinition => ({
    ...domainReport,
    type: `${view}_${source}_${Object.keys(changes).join("_")}`,
    filters: [{ name: "state", operator: "in", value: "text", columns: ["state"], description: "" }],
    rows: { kind: "view", source, view, id: "id", columns: { state: { column: "state", type: "text" } } },
    ...changes,
  });
  const sizes = createRowEstimator(database, sources, patient);
  const estimate = async (definition: ReportTypeDefinition, searchParam: SearchParam) =>
    sizes.estimate(definition, searchParam, "UTC");
  for (const view of ["items", "all_items"]) {
    expect(await estimate(typeOver(view), {})).toBe(30_000);
    expect(await estimate(typeOver(view), { state: ["OPEN"] })).toBeLessThan(1_000);
    expect(await estimate(typeOver(view, { where: [{ column: "state", in: ["OPEN"] }] }), {})).toBeLessThan(1_000);
  }
  expect(await estimate(typeOver("items", {}, "gone"), {})).toBeNull();
  expect(await estimate(typeOver("items", {}, "never_named"), {})).toBeNull();
  expect(await estimate(domainReport, {})).toBe(0);
  for (const each of [database, billing, ...sources.values()]) await each.close();
});
