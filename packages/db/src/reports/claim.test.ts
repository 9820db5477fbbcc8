import { unlimitedStarts } from "@reports/core";
import { createTestDatabases, newReport, servesEverything } from "@reports/testing";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { claimRow, lookAtOpen } from "./attempt-statements.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const terms = { workerId: "test", leaseMs: 60_000, ...servesEverything };

async function openQueued() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const store = createReportStore(database);
  const { report } = await store.createQueued(newReport({ title: "before" }), unlimitedStarts);
  return {
    database,
    store,
    id: report.id,
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

/** The same database, of which the first call is followed by something else. */
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

test("a claim that reaches Postgres when its worker has given up claims nothing", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const [seen] = await database.query((queries) => lookAtOpen(queries, { id }));
  const values = {
    id,
    was: "QUEUED",
    revision: seen!.revision,
    workerId: "test",
    leaseMs: 60_000,
    actor: "w",
  } as const;
  const claim = (claimBefore: string) => database.query((queries) => claimRow(queries, { ...values, claimBefore }));
  expect(await claim("2026-01-01T00:00:00Z")).toBeNull();
  expect(await store.find(id)).toMatchObject({ status: "QUEUED", attempt: 0 });
  expect(await store.listEvents(id)).toHaveLength(1);
  expect(await claim(seen!.claimBefore)).toMatchObject({ attempt: 1, isRequesterAllowed: true });
});

test("a report that was renamed while it was looked at is claimed as it is by then", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const renaming = createReportStore(afterFirst(database, async () => store.rename(id, 1, "after")));
  const claim = await renaming.claim(id, terms);
  expect(claim).toMatchObject({ kind: "claimed", report: { title: "after", revision: 3 } });
  expect((claim as { readonly report: unknown }).report).toEqual(await store.find(id));
});

test("a report that was cancelled while it was looked at is closed", async () => {
  await using opened = await openQueued();
  const { database, store, id } = opened;
  const cancelling = createReportStore(afterFirst(database, async () => store.cancel(id, "basic:alice")));
  expect(await cancelling.claim(id, terms)).toEqual({ kind: "closed" });
  expect(await store.find(id)).toMatchObject({ status: "CANCELLED", attempt: 0 });
});
