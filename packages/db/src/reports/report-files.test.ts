import { randomUUID } from "node:crypto";
import { evaluateLoss, type NewReport, type Report, unlimitedStarts } from "@reports/core/report";
import { webhookLimits } from "@reports/core/webhook";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms } from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { createListConnectionPool } from "../database/list-connection-pool.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { createReconciliationStore } from "./reconciliation-store.ts";
import { createReportLists } from "./report-list.ts";
import { createReportStore } from "./report-store.ts";
import { createLostAttemptRescuer } from "./rescuer.ts";
import { createRetentionStore } from "./retention-store.ts";
import { createWebhookStore } from "../webhooks/webhook-store.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const lease = { workerId: "w1", leaseMs: 25_000, ...unrestrictedClaimTerms };

async function openFiles() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const store = createReportStore(database);
  const run = async (statement: SQL) => [...(await database.query((queries) => queries.execute(statement)))];
  const queue = async (changes: Partial<NewReport> = {}): Promise<Report> =>
    (await store.createQueued(makeNewReport(changes), unlimitedStarts)).report;
  const succeed = async (id: string, { withRows = false } = {}): Promise<Report> => {
    await store.claim(id, lease);
    const bytes = { sizeBytes: 3, sha256: "b".repeat(64), storedVersion: "1" };
    return store.complete(id, 1, {
      file: {
        ...bytes,
        id: randomUUID(),
        fileName: "proxies.csv",
        extension: "csv",
        contentType: "text/csv",
        columns: ["name"],
        storageKey: `reports/${id}/1-a.csv`,
      },
      rowCount: 5,
      dataAsOf: new Date(),
      warnings: [],
      retentionMs: 60_000,
      keptRows: withRows
        ? { id: randomUUID(), file: { ...bytes, storageKey: `reports/${id}/1-b.rows.zst` }, dataSha256: "d".repeat(64) }
        : null,
    });
  };
  return {
    database,
    store,
    run,
    queue,
    succeed,
    retention: createRetentionStore(database),
    withRows: async (): Promise<Report> =>
      succeed((await queue({ requestedBy: "basic:alice" })).id, { withRows: true }),
    rendition: async (report: Report): Promise<Report> => queue({ fileOf: report.id, requestedBy: "basic:bob" }),
    tasks: () =>
      run(sql`select t.identifier as task, j.key from report_queue_quick._private_jobs j
        join report_queue_quick._private_tasks t on t.id = j.task_id order by j.id`),
    url: clone.url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("completing a report stores its row snapshot, which is not listed as a report", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  expect(report).toMatchObject({ status: "SUCCEEDED", dataSha256: "d".repeat(64), fileOf: null });
  expect(await opened.store.findKeptRows(report.id)).toEqual({
    storageKey: `reports/${report.id}/1-b.rows.zst`,
    sizeBytes: 3,
    sha256: "b".repeat(64),
    requestedBy: "basic:alice",
    requesterName: null,
    createdAt: report.createdAt,
  });
  expect(await opened.store.listFiles(report.id)).toEqual([]);
  const [rows] = await opened.run(sql`select id::text from reports where holds_rows`);
  expect(await opened.store.find(rows!["id"] as string)).toBeNull();
  expect(await opened.store.findFile(report.id, rows!["id"] as string)).toBeNull();
});

test("an additional format is queued with its own task and is not listed as a report", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const file = await opened.rendition(report);
  expect(file).toMatchObject({ fileOf: report.id, status: "QUEUED", expiresAt: report.expiresAt, attempt: 0 });
  expect(await opened.store.findFile(report.id, file.id)).toEqual(file);
  expect(await opened.store.findFile(randomUUID(), file.id)).toBeNull();
  expect(await opened.store.find(file.id)).toBeNull();
  expect(await opened.store.listFiles(report.id)).toEqual([file]);
  expect(await opened.tasks()).toEqual([
    { task: "run_report", key: `report:${report.id}` },
    { task: "run_report_with_rows", key: `report:${file.id}` },
  ]);
  const lists = createListConnectionPool({ url: opened.url, deadlineMs: 30_000 });
  const query = { sort: [{ key: "createdAt", descending: true }], limit: 10, after: null, count: true };
  const visible = { reportTypes: ["PROXY"], requestedBy: null };
  const page = await createReportLists(lists).list({ ...query, filters: {}, visible }, new AbortController().signal);
  await lists.close();
  expect(page.items.map(({ id }) => id)).toEqual([report.id]);
  expect(page.total).toBe(1);
});

test("a report with keepRows gets the task run_report_with_rows, not run_report", async () => {
  await using opened = await openFiles();
  const { options } = makeNewReport();
  const { id } = await opened.queue({ options: { ...options, keepRows: true } });
  expect(await opened.tasks()).toEqual([{ task: "run_report_with_rows", key: `report:${id}` }]);
});

test.each([
  ["is not finished", async (o: Opened) => o.queue(), "report-not-finished"],
  ["has no row snapshot", async (o: Opened) => o.succeed((await o.queue()).id), "rows-not-kept"],
  ["is deleted", async (o: Opened) => removed(o), "report-deleted"],
  ["has expired", async (o: Opened) => expired(o), "rows-gone"],
  ["has lost its row snapshot", async (o: Opened) => withoutRows(o), "rows-gone"],
  ["does not exist", async () => makeNewReport() as unknown as Report, "report-not-found"],
])("no additional format is queued for a report that %s", async (_, make, code) => {
  await using opened = await openFiles();
  const report = await make(opened);
  const before = await opened.run(sql`select count(*) from reports`);
  await expect(opened.rendition(report)).rejects.toMatchObject({ code });
  expect(await opened.run(sql`select count(*) from reports`)).toEqual(before);
});

type Opened = Awaited<ReturnType<typeof openFiles>>;

async function removed(opened: Opened): Promise<Report> {
  const report = await opened.withRows();
  await opened.store.remove(report.id, "basic:alice");
  return report;
}

async function expired(opened: Opened): Promise<Report> {
  const report = await opened.withRows();
  await opened.run(sql`update reports set expires_at = now() - interval '1 s'`);
  await opened.retention.expire(10);
  return report;
}

async function withoutRows(opened: Opened): Promise<Report> {
  const report = await opened.withRows();
  await createReconciliationStore(opened.database).expireNamed([`reports/${report.id}/1-b.rows.zst`]);
  return report;
}

test("webhooks get events of reports, but none of row snapshots or additional formats", async () => {
  await using opened = await openFiles();
  const hook = {
    id: randomUUID(),
    owner: "basic:bob",
    url: "https://receiver.example/hook",
    of: "ALL",
    secret: "sealed",
    events: ["report.succeeded"],
    reportTypes: null,
    ownerAuthorities: ["WEBHOOKS_WRITE"],
  } as const;
  await createWebhookStore(opened.database).create(hook, webhookLimits);
  const report = await opened.withRows();
  await opened.succeed((await opened.rendition(report)).id);
  expect(await opened.run(sql`select report_id::text as id from webhook_deliveries`)).toEqual([{ id: report.id }]);
});

test("a report has at most ten additional formats, and deleting one allows another", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const asked = await Promise.allSettled(Array.from({ length: 14 }, () => opened.rendition(report)));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  const refused = asked.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => reason.code as string)).toEqual(Array.from({ length: 4 }, () => "too-many-files"));
  const files = await opened.store.listFiles(report.id);
  expect(files).toHaveLength(10);
  await opened.store.remove(files[3]!.id, "basic:bob");
  expect(await opened.rendition(report)).toMatchObject({ status: "QUEUED" });
});

test("an additional format counts against its requester's limits of starts", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  await opened.rendition(report);
  const limits = { perMinute: 0, unfinished: 1 };
  const another = opened.store.createQueued(makeNewReport({ fileOf: report.id, requestedBy: "basic:bob" }), limits);
  await expect(another).rejects.toMatchObject({ code: "too-many-unfinished" });
});

test("when a report expires, its additional formats expire or are cancelled", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const [done, running, waiting] = [
    await opened.rendition(report),
    await opened.rendition(report),
    await opened.rendition(report),
  ];
  expect(await opened.succeed(done.id)).toMatchObject({ expiresAt: report.expiresAt });
  await opened.store.claim(running.id, lease);
  await opened.run(sql`update reports set expires_at = now() - interval '1 s'`);
  expect(await opened.retention.expire(100)).toBe(5);
  const states = await opened.run(sql`select status from reports order by status`);
  expect(states.map(({ status }) => status)).toEqual(["CANCELLED", "CANCELLED", "EXPIRED", "EXPIRED", "EXPIRED"]);
  expect(await opened.store.findFile(report.id, waiting.id)).toMatchObject({ status: "CANCELLED" });
  expect(await opened.store.heartbeat(running.id, 1, { leaseMs: 1 })).toBe(false);
  await expect(opened.succeed(waiting.id)).rejects.toThrow();
  const removals = await opened.run(sql`select storage_key as key, reason from file_removals order by 1`);
  expect(removals).toEqual(
    [`reports/${report.id}/1-a.csv`, `reports/${report.id}/1-b.rows.zst`, `reports/${done.id}/1-a.csv`]
      .toSorted()
      .map((key) => ({ key, reason: "expired" })),
  );
  expect(await opened.retention.expire(100)).toBe(0);
});

test("deleting a report deletes its row snapshot and finished or unfinished formats", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const [done, running, waiting] = [
    await opened.rendition(report),
    await opened.rendition(report),
    await opened.rendition(report),
  ];
  await opened.succeed(done.id);
  await opened.store.claim(running.id, lease);
  await opened.store.remove(report.id, "basic:alice");
  expect(await opened.store.listFiles(report.id)).toEqual([]);
  expect(await opened.store.findKeptRows(report.id)).toBeNull();
  await expect(
    opened.store.fail(running.id, 1, { code: "INTERNAL", detail: "", retryable: true, spendsFailure: true }),
  ).rejects.toThrow("no longer");
  expect((await opened.store.listEvents(waiting.id)).map(({ to }) => to)).toEqual(["QUEUED", "CANCELLED", "DELETED"]);
  const removals = await opened.run(sql`select storage_key from file_removals`);
  expect(removals).toHaveLength(3);
  const jobs = await opened.tasks();
  expect(jobs.map(({ key }) => key)).not.toContain(`report:${waiting.id}`);
  await opened.run(sql`delete from reports where id = ${report.id}`);
  expect(await opened.run(sql`select from reports`)).toEqual([]);
});

test("the rescuer requeues a dead worker's additional format with the task of formats", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const file = await opened.rendition(report);
  await opened.store.claim(file.id, { ...lease, leaseMs: -1 });
  await opened.run(sql`delete from report_queue_quick._private_jobs`);
  const limits = { deadAfterMs: 25_000, maxBackoffMs: 15_000, joblessAfterMs: 10_000 };
  const rescuer = createLostAttemptRescuer(opened.database, { queueSchema: defaultQueueSchema });
  expect(await rescuer.rescue(evaluateLoss, limits)).toMatchObject({ requeued: [file.id] });
  expect(await opened.tasks()).toEqual([{ task: "run_report_with_rows", key: `report:${file.id}` }]);
});

test("ReconciliationStore counts row snapshots and additional formats as named files", async () => {
  await using opened = await openFiles();
  const report = await opened.withRows();
  const file = await opened.rendition(report);
  await opened.succeed(file.id);
  const keys = [`reports/${report.id}/1-b.rows.zst`, `reports/${file.id}/1-a.csv`, `reports/${report.id}/2-c.rows.zst`];
  // The last key belongs to an attempt that was lost after it stored its row snapshot. No record names the file, but its report exists.
  expect(await createReconciliationStore(opened.database).unnamed(keys)).toEqual([
    { key: keys[2], isReportKnown: true },
  ]);
  const everything = { after: null, upTo: null };
  expect(
    (await Array.fromAsync(createReconciliationStore(opened.database).named(everything, -60_000))).flat(),
  ).toHaveLength(3);
});
