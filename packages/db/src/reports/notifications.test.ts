import { randomUUID } from "node:crypto";
import { unlimitedStarts } from "@reports/core";
import { createTestDatabases, newReport, servesEverything, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportChanges } from "./notifications.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openChanges() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const changes = createReportChanges({ url: clone.url, database });
  const told: string[] = [];
  let isLive = false;
  changes.listen({
    onChange: (id) => void told.push(id),
    onLive: () => void (isLive = true),
    onLost: () => void (isLive = false),
  });
  await waitFor(() => isLive, { what: "notifications" });
  const store = createReportStore(database);
  return {
    database,
    store,
    changes,
    told,
    async queue() {
      const { report } = await store.createQueued(newReport(), unlimitedStarts);
      return report;
    },
    async [Symbol.asyncDispose]() {
      await changes.close();
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

const lease = { leaseMs: 60_000 };

test("whatever callers can see of a report is told once a transaction; renewed leases are not", async () => {
  await using opened = await openChanges();
  const { store, told } = opened;
  const { id } = await opened.queue();
  const tellsTimes = async (times: number) => waitFor(() => told.length === times, { what: `notification ${times}` });
  await store.claim(id, { workerId: "test", ...lease, ...servesEverything });
  await tellsTimes(1);
  await store.heartbeat(id, 1, lease);
  await store.heartbeat(id, 1, { ...lease, progress: { phase: "querying", rowsDone: 0, rowsTotal: 2, percent: 0 } });
  await tellsTimes(2);
  await store.requeue(id, 1, { delayMs: 0, spendsFailure: false, lane: "quick" });
  await tellsTimes(3);
  // Two events in one transaction, and one notification.
  await store.remove(id, "basic:alice");
  await tellsTimes(4);
  // Notifications come in the order of their commits: behind this one nothing is on its way.
  const last = await opened.queue();
  await store.cancel(last.id, "basic:alice");
  await waitFor(() => told.includes(last.id), { what: "the last notification" });
  expect(told).toEqual([id, id, id, id, last.id]);
});

test("what is rolled back is not told", async () => {
  await using opened = await openChanges();
  const { id } = await opened.queue();
  const undone = opened.database.transaction(async (tx) => {
    await tx.execute(sql`update reports set revision = revision + 1 where id = ${id}`);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const last = await opened.queue();
  await opened.store.cancel(last.id, "basic:alice");
  await waitFor(() => opened.told.length > 0, { what: "the last notification" });
  expect(opened.told).toEqual([last.id]);
});

test("revisions of many reports are read in one query; unknown ids are left out", async () => {
  await using opened = await openChanges();
  const [first, second] = [await opened.queue(), await opened.queue()];
  await opened.store.cancel(second.id, "basic:alice");
  const revisions = await opened.changes.readRevisions([first.id, second.id, randomUUID()]);
  expect(revisions).toEqual(
    new Map([
      [first.id, 1],
      [second.id, 2],
    ]),
  );
});
