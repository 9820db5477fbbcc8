import { randomUUID } from "node:crypto";
import { unlimitedStarts } from "@reports/core/report";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createAttemptDatabase, createAttemptStore } from "./attempt-store.ts";
import { createReportChangeNotifier } from "./report-change-notifier.ts";
import { createReportChangeFeed } from "./notifications.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

async function openChanges() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const changes = createReportChangeFeed({ url: clone.url, database });
  const notified: string[] = [];
  let isLive = false;
  changes.listen({
    onChange: (id) => void notified.push(id),
    onLive: () => void (isLive = true),
    onLost: () => void (isLive = false),
  });
  await waitFor(() => isLive, { what: "notifications" });
  const store = createReportStore(database);
  return {
    url: clone.url,
    database,
    store,
    changes,
    notified,
    async queue() {
      const { report } = await store.createQueued(makeNewReport(), unlimitedStarts);
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

test("a transaction with visible changes sends one notification; a renewed lease none", async () => {
  await using opened = await openChanges();
  const { store, notified } = opened;
  const { id } = await opened.queue();
  const waitForNotifications = async (times: number) =>
    waitFor(() => notified.length === times, { what: `notification ${times}` });
  await store.claim(id, { workerId: "test", ...lease, ...unrestrictedClaimTerms });
  await waitForNotifications(1);
  await store.heartbeat(id, 1, lease);
  await store.heartbeat(id, 1, { ...lease, progress: { phase: "querying", rowsDone: 0, rowsTotal: 2, percent: 0 } });
  await waitForNotifications(2);
  await store.requeue(id, 1, { delayMs: 0, spendsFailure: false, lane: "quick" });
  await waitForNotifications(3);
  await store.remove(id, "basic:alice");
  await waitForNotifications(4);
  // Postgres delivers notifications in the order of commits. After the notification of this report, all earlier ones have arrived.
  const last = await opened.queue();
  await store.cancel(last.id, "basic:alice");
  await waitFor(() => notified.includes(last.id), { what: "the last notification" });
  expect(notified).toEqual([id, id, id, id, last.id]);
});

test("a report change that is rolled back sends no notification", async () => {
  await using opened = await openChanges();
  const { id } = await opened.queue();
  const undone = opened.database.transaction(async (tx) => {
    await tx.execute(sql`update reports set revision = revision + 1 where id = ${id}`);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const last = await opened.queue();
  await opened.store.cancel(last.id, "basic:alice");
  await waitFor(() => opened.notified.length > 0, { what: "the last notification" });
  expect(opened.notified).toEqual([last.id]);
});

test("the attempt store leaves the notifications of its changes to ReportChangeNotifier", async () => {
  await using opened = await openChanges();
  const handed: [string, string][] = [];
  const changes = { add: (...notified: [string, "end" | "step"]) => void handed.push(notified) };
  const attemptDatabase = createAttemptDatabase({ url: opened.url, max: 2 });
  const attempts = createAttemptStore(attemptDatabase, { actor: "worker:test", changes });
  const [first, second] = [await opened.queue(), await opened.queue()];
  const terms = { workerId: "test", ...lease, ...unrestrictedClaimTerms };
  await attempts.claim(first.id, terms);
  await attempts.heartbeat(first.id, 1, lease);
  await attempts.heartbeat(first.id, 1, {
    ...lease,
    progress: { phase: "querying", rowsDone: 1, rowsTotal: 2, percent: 50 },
  });
  await attempts.requeue(first.id, 1, { delayMs: 0, spendsFailure: false, lane: "quick" });
  await attempts.claim(second.id, terms);
  const failure = { code: "INVALID_DATA", detail: "No.", retryable: false, spendsFailure: false } as const;
  await attempts.fail(second.id, 1, failure);
  await expect(attempts.fail(second.id, 1, failure)).rejects.toThrow("no longer owns");
  expect(handed).toEqual([
    [first.id, "step"],
    [first.id, "step"],
    [first.id, "step"],
    [second.id, "step"],
    [second.id, "end"],
    [second.id, "end"],
  ]);
  await attemptDatabase.close();
  const last = await opened.queue();
  await opened.store.cancel(last.id, "basic:alice");
  await waitFor(() => opened.notified.includes(last.id), { what: "the last notification" });
  expect(opened.notified).toEqual([last.id]);
});

describe("ReportChangeNotifier", () => {
  function createBatches(opened: Awaited<ReturnType<typeof openChanges>>, failures = 0, options = {}) {
    const sent: ("notified" | "failed")[] = [];
    const failed: unknown[] = [];
    const batches = createReportChangeNotifier({
      database: {
        async query(work) {
          if (sent.length < failures) {
            sent.push("failed");
            throw new Error("away");
          }
          const result = await opened.database.query(work);
          sent.push("notified");
          return result;
        },
      },
      onFailure: (error) => void failed.push(error),
      ...options,
    });
    return { batches, sent, failed };
  }
  const some = (count: number) => Array.from({ length: count }, () => randomUUID());

  test("ReportChangeNotifier sends 450 changed reports in 3 statements, each report once", async () => {
    await using opened = await openChanges();
    const { batches, sent } = createBatches(opened);
    const ids = some(450);
    for (const id of [...ids, ...ids]) batches.add(id, "end");
    await waitFor(() => opened.notified.length >= ids.length, { what: "the notifications" });
    expect(opened.notified).toEqual(ids);
    await batches.close();
    expect(sent).toEqual(["notified", "notified", "notified"]);
  });

  test("ReportChangeNotifier sends the end of a report without a pause after a batch of steps", async () => {
    await using opened = await openChanges();
    const { batches, sent } = createBatches(opened, 0, { stepMs: 0, pauseMs: 10 * 60_000 });
    const [begun, ended] = some(2);
    batches.add(begun!, "step");
    await waitFor(() => sent.length === 1, { what: "the step" });
    batches.add(ended!, "end");
    await waitFor(() => opened.notified.length === 2, { what: "the end" });
    expect(opened.notified).toEqual([begun, ended]);
    await batches.close();
  });

  test("ReportChangeNotifier sends a failed batch again, in one statement with later changes", async () => {
    await using opened = await openChanges();
    const [before, after] = some(2);
    // Adds the change during the failure. Later, the failed batch might already have been sent again without it.
    const onFailure = () => batches.add(after!, "step");
    const { batches, sent } = createBatches(opened, 1, { onFailure });
    batches.add(before!, "end");
    await waitFor(() => opened.notified.length === 2, { what: "the notifications" });
    expect(new Set(opened.notified)).toEqual(new Set([before, after]));
    await batches.close();
    expect(sent).toEqual(["failed", "notified"]);
  });

  test("closing ReportChangeNotifier sends queued changes, but only once if Postgres is down", async () => {
    await using opened = await openChanges();
    const [stopping, stranded] = [
      createBatches(opened, 0, { closeMs: 60_000 }),
      createBatches(opened, 1_000, { closeMs: 60_000 }),
    ];
    const ids = some(450);
    for (const id of ids) stopping.batches.add(id, "step");
    await stopping.batches.close();
    expect(stopping.sent).toHaveLength(3);
    await waitFor(() => opened.notified.length === ids.length, { what: "the notifications" });
    stranded.batches.add(ids[0]!, "end");
    await stranded.batches.close();
    expect(stranded.failed).toHaveLength(1);
  });
});

test("readRevisions returns the revisions of known reports and omits unknown IDs", async () => {
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
