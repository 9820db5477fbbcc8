import { unlimitedStarts } from "@reports/core/report";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms } from "@reports/testing";
import { Name, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createAttemptDatabase } from "./attempt-store.ts";
import { claimReportRows, readUnfinishedReports } from "./attempt-statements.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const terms = { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms };

async function openQueued() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const store = createReportStore(database);
  const { report } = await store.createQueued(makeNewReport({ title: "before" }), unlimitedStarts);
  return {
    url: clone.url,
    database,
    store,
    id: report.id,
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

function afterFirst(database: Database, work: () => Promise<unknown>): Database {
  let isFirst = true;
  return {
    ...database,
    async query(run) {
      const result = await database.query(run);
      if (isFirst) {
        isFirst = false;
        await work();
      }
      return result;
    },
  };
}

test("a claim that reaches Postgres after claimBefore claims nothing", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const [seen] = await database.query((queries) => readUnfinishedReports(queries, [id]));
  const claim = (claimBefore: string) =>
    database.query((queries) =>
      claimReportRows(queries, "skip", [{ id, was: "QUEUED", revision: seen!.revision, claimBefore }], {
        workerId: "test",
        leaseMs: 60_000,
        actor: "w",
      }),
    );
  expect(await claim("2026-01-01T00:00:00Z")).toEqual([]);
  expect(await store.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
  expect(await store.listEvents(id)).toHaveLength(1);
  expect(await claim(seen!.claimBefore)).toMatchObject([{ attempt: 1, isRequesterAllowed: true }]);
});

test("a claim returns the new title if the report was renamed since it was read", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const renaming = createReportStore(afterFirst(database, async () => store.rename(id, 1, "after")));
  const claim = await renaming.claim(id, terms);
  expect(claim).toMatchObject({ kind: "claimed", report: { title: "after", revision: 3 } });
  expect((claim as { readonly report: unknown }).report).toEqual(await store.find(id));
});

test("a claim takes two database calls and returns how often the report was requeued", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const refusal = { because: "TYPE_UNKNOWN", message: "It does not.", servedFromVersion: 1 } as const;
  const refusing = { ...terms, refusalOf: () => refusal, delayOf: () => 1 };
  expect(await store.claim(id, refusing)).toMatchObject({ kind: "handed-back" });
  let calls = 0;
  const twoCalls: Database = {
    ...database,
    async query(run) {
      if (++calls > 2) throw new Error("The connection was lost.");
      return database.query(run);
    },
  };
  const claim = await createReportStore(twoCalls).claim(id, terms);
  expect(claim).toMatchObject({ kind: "claimed", requeues: { count: 1, isServedElsewhere: false } });
  expect((claim as { readonly requeues: { readonly waitedMs: number } }).requeues.waitedMs).toBeGreaterThan(0);
});

test("claims and completions prepared on an empty table find reports by primary key", async () => {
  await using opened = await openQueued();
  const attempts = createAttemptDatabase({ url: opened.url, max: 1 });
  const { store, id } = opened;
  const attempt = createReportStore(attempts, { actor: "w" });
  await attempt.claim(id, terms);
  const file = {
    id,
    fileName: "a.csv",
    extension: "csv",
    contentType: "text/csv",
    sizeBytes: 1,
    sha256: "0".repeat(64),
    columns: ["a"],
    storageKey: "reports/a",
    storedVersion: null,
  };
  await attempt.complete(id, 1, { file, rowCount: 0, dataAsOf: new Date(), warnings: [], retentionMs: 1000 });
  expect(await store.find(id)).toMatchObject({ status: "SUCCEEDED" });
  const plans = await attempts.query(async (queries) => {
    const prepared = await queries.execute<{ name: string; parameters: number }>(sql`
      select name, cardinality(parameter_types) as parameters from pg_prepared_statements where statement ~ '"reports"'`);
    await queries.execute(sql`set plan_cache_mode = force_generic_plan`);
    const explained = [];
    for (const { name, parameters } of prepared) {
      const values = sql.join(
        Array.from({ length: parameters }, () => sql`null`),
        sql`, `,
      );
      explained.push(await queries.execute(sql`explain execute ${sql`${new Name(name)}`} (${values})`));
    }
    return explained.map((lines) => [...lines].map((line) => String(line["QUERY PLAN"])).join("\n"));
  });
  await attempts.close();
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(new Set(plan.match(/(?<=Scan using )reports_\w+/g))).toEqual(new Set(["reports_pkey"]));
    expect(plan.match(/Index Cond: \(id = /g)).toHaveLength(plan.match(/Scan using reports_/g)!.length);
  }
});

test("a claim reports `closed` if the report was cancelled since it was read", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const cancelling = createReportStore(afterFirst(database, async () => store.cancel(id, "basic:alice")));
  expect(await cancelling.claim(id, terms)).toEqual({ kind: "closed" });
  expect(await store.find(id)).toMatchObject({ status: "CANCELLED", attempt: 0 });
});
