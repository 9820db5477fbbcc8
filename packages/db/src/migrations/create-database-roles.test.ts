import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { scheduleRecord } from "@reports/core/schedule";
import { evaluateLoss, type ReportFile, unlimitedStarts } from "@reports/core/report";
import { newestFirstSort } from "@reports/core/record";
import { type Webhook, webhookLimits } from "@reports/core/webhook";
import { isFullTestRun, makeNewReport, administratorDeliveryFilter, unrestrictedClaimTerms } from "@reports/testing";
import { Logger, runOnce } from "graphile-worker";
import postgres, { type Sql, type TransactionSql } from "postgres";
import { afterAll, expect, test } from "vitest";
import { cloneDatabaseWithRoles } from "./databases-with-roles.fixture.ts";
import { createDatabaseRoles, databaseRoles, rolesScriptPath } from "./roles.ts";
import { createDatabase, type Database } from "../database/database.ts";
import { createReconciliationStore } from "../reports/reconciliation-store.ts";
import { createSuspiciousFileRecorder, createFileVerificationStore } from "../reports/file-verification.ts";
import { createDownloadLinkStore } from "../reports/link-store.ts";
import { createFileRemovals } from "../reports/file-removals.ts";
import { createLoginThrottle, removeStaleRateWindows } from "../reports/limit-store.ts";
import { readMigrationState } from "./database-version.ts";
import { migrateDatabase } from "./migrate-database.ts";
import { assertRoleRights, findMissingRights, parseGrantsTo } from "./role-rights.ts";
import { readLaneLoads, readOldestDbSnapshotAgeMs } from "../queue/queue.ts";
import { defaultQueueSchema, laneSchemaName } from "../queue/queue-schema.ts";
import { readReconcilerState } from "../reports/reconciler-log.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createScheduleStore } from "../schedules/schedule-store.ts";
import { createLostAttemptRescuer } from "../reports/rescuer.ts";
import { createRetentionStore } from "../reports/retention-store.ts";
import { createStoreIdRepository } from "../reports/store-id-record.ts";
import { createPeriodicTaskLocks } from "../queue/periodic-task-locks.ts";
import { createWorkerRegistry } from "../queue/worker-registry.ts";
import { createDeliveryQueue, readWebhookCounts } from "../webhooks/delivery-queue.ts";
import { createSealedSecretStore } from "../webhooks/sealed-secret-store.ts";
import { pauseUnreadableWebhooks } from "../webhooks/unreadable-webhooks.ts";
import { createWebhookLists } from "../webhooks/webhook-lists.ts";
import { createWebhookStore } from "../webhooks/webhook-store.ts";

const permissionDenied = "42501";

async function openWithRoles() {
  const clone = await cloneDatabaseWithRoles();
  const owner = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const users: string[] = [];
  const closing: (() => Promise<void>)[] = [];

  async function openAs(role: keyof typeof databaseRoles) {
    const user = `test_${randomBytes(6).toString("hex")}`;
    const password = randomBytes(12).toString("hex");
    await owner.unsafe(`create role ${user} login password '${password}' in role ${databaseRoles[role]}`);
    users.push(user);
    const url = new URL(clone.url);
    url.username = user;
    url.password = password;
    const database = createDatabase({ url: url.href });
    const sql = postgres(url.href, { max: 1, onnotice: () => undefined });
    closing.push(
      () => database.close(),
      () => sql.end(),
    );
    return { url: url.href, database, sql };
  }

  return {
    owner,
    url: clone.url,
    openAs,
    async [Symbol.asyncDispose]() {
      await Promise.all(closing.map((close) => close()));
      for (const user of users) await owner.unsafe(`drop role ${user}`);
      await owner.end();
      await clone[Symbol.asyncDispose]();
    },
  };
}

const ofAlice = { requestedBy: "basic:alice" };

const file: ReportFile = {
  id: "018f0000-0000-7000-8000-000000000001",
  fileName: "proxies.csv",
  extension: "csv",
  contentType: "text/csv",
  sizeBytes: 1,
  sha256: "a".repeat(64),
  columns: [],
  storageKey: "reports/x/1-a.csv",
  storedVersion: "1",
};

const hook = {
  owner: "basic:alice",
  url: "https://a",
  events: ["report.cancelled"],
  reportTypes: null,
  of: "OWN",
  ownerAuthorities: [],
  secret: "sealed",
} as const;

const schedule = {
  ...scheduleRecord.input.parse({ name: "Daily", reportType: "PROXY", cron: "0 6 * * *" }),
  searchParam: {},
  owner: "https://issuer.example|ann",
  definitionVersion: 1,
  requiredAuthority: null,
};

const lasting = { createdAt: new Date(), expiresAt: new Date(Date.now() + 60_000) };

async function codeOf(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return "allowed";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

let shared: Promise<Awaited<ReturnType<typeof openRefusing>>> | undefined;
const refusing = async () => (shared ??= openRefusing());
afterAll(async () => (await shared)?.opened[Symbol.asyncDispose]());

async function openRefusing() {
  const opened = await openWithRoles();
  const [api, worker] = [await opened.openAs("api"), await opened.openAs("worker")];
  const { report } = await createReportStore(api.database).createQueued(makeNewReport(ofAlice), unlimitedStarts);
  return { opened, api, worker, reportId: report.id };
}

function cancel(sql: Sql | TransactionSql, id: string) {
  return sql`
    update reports set status = 'CANCELLED', finished_at = now(), revision = revision + 1, updated_at = now() where id = ${id}`;
}

function addEvent(
  sql: Sql | TransactionSql,
  id: string,
  from: string | null,
  to: string,
  actor: string | null = "basic:alice",
) {
  return sql`
    insert into report_events (report_id, from_status, to_status, attempt, actor) values (${id}, ${from}, ${to}, 0, ${actor})`;
}

function cancelAs(sql: Sql, id: string, actors: readonly (string | null)[]) {
  return sql.begin(async (tx) => {
    await cancel(tx, id);
    for (const actor of actors) await addEvent(tx, id, "QUEUED", "CANCELLED", actor);
  });
}

const outsideOfTables: readonly [string, (sql: Sql) => PromiseLike<unknown>][] = [
  ["creates a temporary table", (sql) => sql`create temporary table t (a int)`],
  ["stores a large object", (sql) => sql`select lo_from_bytea(0, 'x')`],
  ["opens a large object", (sql) => sql`select lo_open(1, 131072)`],
  ["reads large objects", (sql) => sql`select * from pg_largeobject`],
];

test("the API's role can manage reports, links and webhooks and read the queue's state", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const store = createReportStore(api.database);
  const limits = { perMinute: 20, unfinished: 5 };
  const { report } = await store.createQueued(makeNewReport(ofAlice), limits);
  expect((await readQueue(api.database)).waiting).toBe(1);
  expect(await store.rename(report.id, report.revision, "Other")).toMatchObject({ title: "Other" });
  expect(await store.cancel(report.id, "basic:alice")).toMatchObject({ status: "CANCELLED" });
  expect(await store.remove(report.id, "basic:alice")).not.toBeNull();
  expect(await store.listEvents(report.id)).toHaveLength(3);
  const throttle = createLoginThrottle(api.database, { perAddress: 1, perAccount: 1 });
  expect(await throttle.countFailure({ address: "192.0.2.1", account: "alice" })).toBeNull();
  await removeStaleRateWindows(api.database);
  expect((await readMigrationState({ databaseUrl: api.url })).current).toBe(true);
  const suspicions = createSuspiciousFileRecorder(api.database);
  await suspicions.note(report.id);
  await suspicions.note(report.id);
  const links = createDownloadLinkStore(api.database);
  const link = { id: randomUUID(), reportId: report.id, fileId: file.id, createdBy: "basic:alice", ...lasting };
  expect(await links.create({ ...link, tokenHash: "a" }, 1)).toBe(true);
  expect(await links.create({ ...link, id: randomUUID(), tokenHash: "b" }, 1)).toBe(false);
  expect(await links.revoke(link, link.createdAt)).toBe(true);
  expect(await links.find("a")).toEqual({ ...link, revokedAt: link.createdAt });
  expect(await links.list(link, link.createdAt)).toEqual([]);
  const webhooks = createWebhookStore(api.database);
  const webhook = (await webhooks.create({ ...hook, id: randomUUID() }, webhookLimits)) as Webhook;
  const cancelled = (await store.createQueued(makeNewReport(ofAlice), limits)).report;
  await store.cancel(cancelled.id, "basic:alice");
  const lists = createWebhookLists({ read: async (work) => api.database.query(work) });
  const { items } = await lists.deliveries(
    {
      filters: {},
      sort: newestFirstSort,
      limit: 1,
      after: null,
      count: false,
      webhookId: webhook.id,
      visible: administratorDeliveryFilter,
    },
    new AbortController().signal,
  );
  const [delivery] = items;
  expect(delivery).toMatchObject({ type: "report.cancelled", reportId: cancelled.id });
  expect(await webhooks.redeliver(webhook.id, delivery!.eventId, administratorDeliveryFilter)).toMatchObject({
    id: delivery!.id,
  });
  await webhooks.addTest(webhook.id, { id: randomUUID(), eventId: randomUUID() });
  await webhooks.rotate(webhook.id, "sealed", 1);
  const sealed = createSealedSecretStore(api.database);
  expect(await sealed.readKeys()).toEqual([]);
  expect(await sealed.listUnder(["sealed"], { afterId: null, limit: 9 })).toMatchObject([{ id: webhook.id }]);
  await sealed.replace(webhook.id, new Map([["sealed", "key.sealed"]]));
  expect(await sealed.countNotUnder("key")).toBe(0);
  expect(
    await webhooks.change(webhook.id, () => ({ status: "ACTIVE", url: "https://b" }), webhookLimits),
  ).not.toBeNull();
  await webhooks.remove(webhook.id, () => undefined);
  await api.sql`select password_hash from users`;
  await api.sql`listen report_changes`;
});

test.each<[string, (sql: Sql, reportId: string) => PromiseLike<unknown>]>([
  ["creates a table", (sql) => sql`create table t (a int)`],
  ["creates a function", (sql) => sql`create function f() returns int language sql as 'select 1'`],
  ["changes a table", (sql) => sql`alter table reports add column a int`],
  ["drops a table", (sql) => sql`drop table rate_windows`],
  ["reads the queue's tables", (sql) => sql`select * from report_queue_quick._private_jobs`],
  ["reads the queue's view", (sql) => sql`select * from report_queue.jobs`],
  ["adds a job without a report", (sql) => sql`select report_queue_quick.add_job('anything')`],
  ["publishes a file", (sql, id) => sql`update reports set file_storage_key = 'x' where id = ${id}`],
  ["gives a report an error", (sql, id) => sql`update reports set error_code = 'INTERNAL' where id = ${id}`],
  ["changes the name of a report's requester", (sql) => sql`update reports set requester_name = 'Eve'`],
  ["claims a report", (sql, id) => sql`update reports set attempt = attempt + 1 where id = ${id}`],
  ["takes over another's report", (sql, id) => sql`update reports set requested_by = 'me' where id = ${id}`],
  [
    "inserts a report that has run",
    (sql) => sql`
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, attempt)
      values (gen_random_uuid(), 'PROXY', 1, 't', 'RUNNING', '{}', '{}', 'me', 'done', 3, 1)`,
  ],
  [
    "inserts a report with a lease and the highest priority",
    (sql) => sql`
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, losses, worker_id, lease_expires_at)
      values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'me', 'done', 3, 1, 'me', now())`,
  ],
  [
    "queues an event for webhooks",
    (sql) => sql`select add_webhook_deliveries('report.failed', 'me', 'PROXY', null, '{}')`,
  ],
  ["marks a delivery as delivered", (sql) => sql`update webhook_deliveries set last_status = 200`],
  ["gives a webhook to another principal", (sql) => sql`update webhooks set owner = 'me'`],
  ["removes a webhook", (sql) => sql`delete from webhooks`],
  ["extends a link", (sql) => sql`update download_links set expires_at = 'infinity', revoked_at = null`],
  ["gives a link to another principal", (sql) => sql`update download_links set created_by = 'me'`],
  ["deletes a report", (sql, id) => sql`delete from reports where id = ${id}`],
  ["rewrites the events", (sql) => sql`update report_events set to_status = 'SUCCEEDED'`],
  ["gives a user authorities", (sql) => sql`update users set authorities = '{REPORTS_ADMIN}'`],
  ["adds a user", (sql) => sql`insert into users (name, password_hash) values ('mallory', 'x')`],
  ["reads the suspected files", (sql) => sql`select * from file_suspicions`],
  ["clears a suspicion", (sql) => sql`delete from file_suspicions`],
  ["marks a file as damaged", (sql) => sql`insert into damaged_files default values`],
  ["reads the workers", (sql) => sql`select * from worker_heartbeats`],
  [
    "schedules a removal as the reconciler",
    (sql) =>
      sql`insert into file_removals (storage_key, reason, due_at) values ('reports/x/1-a.csv', 'no-record', now())`,
  ],
  ["deletes the log of the reconciler", (sql) => sql`delete from reconciler_log`],
  ["removes a job from the queue", (sql) => sql`select report_queue_quick.remove_job('report:x')`],
  [
    "runs a report",
    (sql, id) =>
      sql`update reports set status = 'RUNNING', revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  [
    "ends a report as if it had run",
    (sql, id) =>
      sql`update reports set status = 'EXPIRED', revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  [
    "takes a lease",
    (sql, id) =>
      sql`update reports set worker_id = 'me', lease_expires_at = now(), revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  [
    "cancels a report and keeps a lease on it",
    (sql, id) =>
      sql`update reports set status = 'CANCELLED', lease_expires_at = now(), revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  ["cancels a report without an event", (sql, id) => cancel(sql, id)],
  [
    "deletes a report without an event",
    (sql, id) =>
      sql`update reports set deleted_at = now(), revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  ["adds an event of a cancellation that did not happen", (sql, id) => addEvent(sql, id, "QUEUED", "CANCELLED")],
  ["adds an event of a deletion that did not happen", (sql, id) => addEvent(sql, id, "QUEUED", "DELETED")],
  ["adds an event of a run", (sql, id) => addEvent(sql, id, "QUEUED", "RUNNING")],
  ["adds a second event of a start", (sql, id) => addEvent(sql, id, null, "QUEUED")],
  ["cancels a report in the service's name", (sql, id) => cancelAs(sql, id, ["system"])],
  ["cancels a report in a worker's name", (sql, id) => cancelAs(sql, id, ["worker:host:1:a"])],
  ["cancels a report in nobody's name", (sql, id) => cancelAs(sql, id, [null])],
  ["cancels a report in two names", (sql, id) => cancelAs(sql, id, ["basic:alice", "basic:bob"])],
  [
    "starts a report in another's name than the requester's",
    (sql) =>
      sql.begin(async (tx) => {
        const [row] = await tx<{ id: string }[]>`
          insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures)
          values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:alice', 'done', 3) returning id`;
        await addEvent(tx, row!.id, null, "QUEUED", "basic:bob");
      }),
  ],
  ["counts a failure", (sql, id) => sql`update reports set failures = failures + 1 where id = ${id}`],
  [
    "sets the end time of a queued report",
    (sql, id) =>
      sql`update reports set finished_at = now(), revision = revision + 1, updated_at = now() where id = ${id}`,
  ],
  ...outsideOfTables,
])("the API's role is refused if it %s", async (_, attempt) => {
  const { api, reportId } = await refusing();
  expect(await codeOf(attempt(api.sql, reportId))).toBe(permissionDenied);
});

test("the API's role cannot set a report to SUCCEEDED", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const { report } = await createReportStore(api.database).createQueued(makeNewReport(ofAlice), unlimitedStarts);
  expect(await codeOf(api.sql`update reports set status = 'SUCCEEDED' where id = ${report.id}`)).toBe(permissionDenied);
  expect(await codeOf(opened.owner`update reports set status = 'SUCCEEDED' where id = ${report.id}`)).toBe("23514");
  expect(await createReportStore(api.database).find(report.id)).toMatchObject({ status: "QUEUED" });
});

test("a cancellation event gets Postgres's time and the actor that the API names", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const { report } = await createReportStore(api.database).createQueued(makeNewReport(ofAlice), unlimitedStarts);
  await api.sql.begin(async (tx) => {
    await cancel(tx, report.id);
    await tx`
      insert into report_events (report_id, from_status, to_status, attempt, actor, at)
      values (${report.id}, 'QUEUED', 'CANCELLED', 0, 'basic:whoever', '2000-01-01')`;
  });
  expect(await codeOf(addEvent(api.sql, report.id, "QUEUED", "CANCELLED"))).toBe(permissionDenied);
  const events = await opened.owner`
    select actor, at > now() - interval '1 hour' as "isOfNow" from report_events where report_id = ${report.id} order by id`;
  expect([...events]).toEqual([
    { actor: "basic:alice", isOfNow: true },
    { actor: "basic:whoever", isOfNow: true },
  ]);
});

test("the worker's role can take jobs, run reports and deliver events", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const worker = await opened.openAs("worker");
  const { report } = await createReportStore(api.database).createQueued(makeNewReport(ofAlice), unlimitedStarts);
  const webhook = { ...hook, id: randomUUID(), events: ["report.succeeded"] } as const;
  await createWebhookStore(api.database).create(webhook, webhookLimits);
  const store = createReportStore(worker.database);
  await runOnce({
    connectionString: worker.url,
    schema: laneSchemaName(defaultQueueSchema, "quick"),
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: {
      run_report: async (payload) => {
        const { reportId } = payload as { reportId: string };
        const claim = await store.claim(reportId, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
        expect(claim).toMatchObject({ kind: "claimed", isRequesterAllowed: true });
        await store.heartbeat(reportId, 1, { leaseMs: 60_000 });
        await store.complete(reportId, 1, { file, rowCount: 0, dataAsOf: new Date(), warnings: [], retentionMs: 1000 });
      },
    },
  });
  expect(await store.find(report.id)).toMatchObject({ status: "SUCCEEDED" });
  const deliveries = createDeliveryQueue(worker.database);
  const delivery = (await deliveries.claim({
    holdMs: 60_000,
    perWebhook: 1,
    keys: ["sealed", "sealed-2"],
    confirmDays: 90,
    excludedOwners: [],
  }))!;
  expect(delivery).toMatchObject({ webhookId: webhook.id, type: "report.succeeded" });
  const failure = {
    status: 410,
    code: "GONE",
    found: "GONE",
    durationMs: 1,
    nextInMs: null,
    isPostponed: false,
    backoffMs: 1,
    pause: "GONE",
  } as const;
  await deliveries.complete(delivery, { kind: "failed", ...failure });
  expect(await worker.database.query((queries) => readWebhookCounts(queries))).toMatchObject({ waiting: 0, paused: 1 });
  const unread = { ...hook, id: randomUUID(), events: ["report.failed"], secret: "other.key" } as const;
  await createWebhookStore(api.database).create(unread, webhookLimits);
  expect(await worker.database.query((queries) => pauseUnreadableWebhooks(queries, 0))).toEqual([unread.id]);
  expect((await readQueue(worker.database)).waiting).toBe(0);
  expect((await readMigrationState({ databaseUrl: worker.url })).current).toBe(true);
  await worker.sql`copy (select name from proxies) to stdout`.readable();
});

test.each<[string, (sql: Sql) => PromiseLike<unknown>]>([
  ["creates a table", (sql) => sql`create table t (a int)`],
  ["reads hashes of passwords", (sql) => sql`select password_hash from users`],
  ["gives a user authorities", (sql) => sql`update users set authorities = '{REPORTS_ADMIN}'`],
  ["changes the inventory", (sql) => sql`update proxies set name = 'x'`],
  ["inserts a report", (sql) => sql`insert into reports default values`],
  ["reads hashes of links' tokens", (sql) => sql`select token_hash from download_links`],
  ["inserts a link", (sql) => sql`insert into download_links default values`],
  ["inserts a webhook", (sql) => sql`insert into webhooks default values`],
  ["changes the name of a schedule's owner", (sql) => sql`update report_schedules set owner_name = 'Eve'`],
  ["changes the URL of a webhook", (sql) => sql`update webhooks set url = 'https://b'`],
  ["inserts a delivery", (sql) => sql`insert into webhook_deliveries default values`],
  ["deletes counted logins", (sql) => sql`delete from rate_windows`],
  ["deletes the record of a damaged file", (sql) => sql`delete from damaged_files`],
  ["changes the key of a damaged file", (sql) => sql`update damaged_files set storage_key = 'x'`],
  ["drops the queue", (sql) => sql`drop table report_queue_quick._private_jobs`],
  ["creates something in the queue's schema", (sql) => sql`create table report_queue_quick.t (a int)`],
  ["changes the version of the queue's tables", (sql) => sql`delete from report_queue_quick.migrations`],
  ["deletes a domain", (sql) => sql`update domains set deleted_at = now()`],
  ...outsideOfTables,
])("the worker's role is refused if it %s", async (_, attempt) => {
  const { worker } = await refusing();
  expect(await codeOf(attempt(worker.sql))).toBe(permissionDenied);
});

test("the worker's role can rescue jobs, apply retention and compare files", async () => {
  await using opened = await openWithRoles();
  const { database } = await opened.openAs("worker");
  const registry = createWorkerRegistry(database);
  await registry.heartbeat(
    { workerId: "w", host: "h", pid: 1, version: "1", lanes: ["quick"], servedTypes: {}, webhookKeys: [] },
    ["pool"],
  );
  await registry.announceStop("w");
  const limits = { deadAfterMs: 0, maxBackoffMs: 0, joblessAfterMs: 0 };
  expect(
    await createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema }).rescue(evaluateLoss, limits),
  ).toMatchObject({
    requeued: [],
  });
  const retention = createRetentionStore(database);
  expect([await retention.expire(1), await retention.purge(0, 1)]).toEqual([0, 0]);
  expect(await retention.removeEndedLinks(1)).toBe(0);
  const index = createReconciliationStore(database);
  const key = "reports/a/1-b.csv";
  expect(await index.unnamed([key])).toEqual([{ key, isReportKnown: false }]);
  const round = await index.begin();
  await index.note(round, "no-record", [key]);
  await index.forgetResolved(round);
  expect(await index.known("no-record", -1000, null, 1)).toEqual([key]);
  expect(await index.schedule([key], 0)).toBe(1);
  expect(await index.due(round, null, 1)).toEqual([key]);
  expect(await index.scheduled.confirm([key])).toEqual([key]);
  await index.scheduled.markRemoved([key]);
  expect(await index.recentRepairs(60_000)).toEqual({ removed: 1, expired: 0 });
  expect([await index.expireNamed([key]), await index.undo()]).toEqual([0, 0]);
  await index.close(round, { files: 1, unknown: 0, refused: 0 });
  const removals = createFileRemovals(database);
  await removals.abandon(key, randomUUID());
  expect(await removals.due(null, 1)).toEqual([key]);
  await removals.markRemoved(await removals.confirm([key]));
  expect((await database.query(readReconcilerState)).listed).toEqual([]);
  const leases = createPeriodicTaskLocks(database);
  const lease = await leases.take("work", 60_000);
  expect(await leases.take("work", 60_000)).toBeNull();
  await lease!.release();
  expect(await leases.take("work", 60_000)).not.toBeNull();
  expect((await readQueue(database)).waiting).toBe(0);
  await registry.remove("w");
});

test("the worker's role can record a damaged file, which outlives its deleted report", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const worker = await opened.openAs("worker");
  const store = createReportStore(worker.database);
  const { report } = await createReportStore(api.database).createQueued(makeNewReport(ofAlice), unlimitedStarts);
  await store.claim(report.id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
  await store.complete(report.id, 1, { file, rowCount: 0, dataAsOf: new Date(), warnings: [], retentionMs: 1000 });
  await createSuspiciousFileRecorder(api.database).note(report.id);
  const verification = createFileVerificationStore(worker.database);
  const published = {
    reportId: report.id,
    storageKey: file.storageKey,
    sizeBytes: 1,
    sha256: file.sha256,
    storedVersion: "1",
  };
  expect(await verification.suspected(10)).toEqual([published]);
  await verification.defer(report.id);
  await verification.saveVersion(published, "2");
  expect(await verification.following(null, 10)).toEqual([{ ...published, storedVersion: "2" }]);
  expect(await verification.following(file.storageKey, 10)).toEqual([]);
  await verification.savePosition(file.storageKey);
  await verification.savePosition(null);
  expect(await verification.position()).toBeNull();
  const mismatch = { property: "digest", expected: file.sha256, found: "b" } as const;
  expect(await verification.markDamaged(published, mismatch)).toBe(true);
  expect(await verification.markDamaged(published, mismatch)).toBe(false);
  expect(await verification.suspected(10)).toEqual([]);
  expect(await store.find(report.id)).toMatchObject({ status: "EXPIRED", file: null });
  expect((await store.listEvents(report.id)).at(-1)).toMatchObject({ to: "EXPIRED", because: "FILE_DAMAGED" });
  const index = createReconciliationStore(worker.database);
  const keysOf = (files: readonly { readonly key: string }[]) => files.map(({ key }) => key);
  expect(keysOf(await index.unnamed([file.storageKey, "reports/y/1-a.csv"]))).toEqual(["reports/y/1-a.csv"]);
  await createRetentionStore(worker.database).purge(-60_000, 10);
  expect(await store.find(report.id)).toBeNull();
  expect(await index.unnamed([file.storageKey])).toEqual([]);
});

test("the worker's role can adopt a store ID once, and neither role can change it", async () => {
  await using opened = await openWithRoles();
  const worker = await opened.openAs("worker");
  const api = await opened.openAs("api");
  const record = createStoreIdRepository(worker.database);
  const id = randomUUID();
  await record.propose(id);
  expect(await record.adopt(async () => undefined)).toBe(true);
  expect(await record.namesFiles()).toBe(false);
  expect(await createStoreIdRepository(api.database).read()).toEqual({ id, adopted: true });
  for (const { sql } of [worker, api]) {
    await expect(sql`update store_markers set id = ${randomUUID()}`).rejects.toMatchObject({ code: permissionDenied });
    await expect(sql`delete from store_markers`).rejects.toMatchObject({ code: permissionDenied });
  }
  await expect(api.sql`insert into store_markers (id) values (${id})`).rejects.toMatchObject({
    code: permissionDenied,
  });
  await expect(opened.owner`insert into store_markers (is_only, id) values (false, ${id})`).rejects.toThrow(/is_only/);
});

test("the API's role can cancel a running report, but not requeue or restore it", async () => {
  await using opened = await openWithRoles();
  const api = await opened.openAs("api");
  const store = createReportStore(api.database);
  const { report } = await store.createQueued(makeNewReport(ofAlice), unlimitedStarts);
  const { sql } = api;
  await createReportStore((await opened.openAs("worker")).database).claim(report.id, {
    workerId: "w",
    leaseMs: 60_000,
    ...unrestrictedClaimTerms,
  });
  const running = (await store.find(report.id))!;
  expect(await store.rename(report.id, running.revision, "Other")).toMatchObject({ status: "RUNNING", title: "Other" });
  expect(
    await codeOf(
      sql`update reports set worker_id = null, lease_expires_at = null, revision = revision + 1, updated_at = now()`,
    ),
  ).toBe(permissionDenied);
  expect(await codeOf(sql`update reports set status = 'QUEUED', revision = revision + 1, updated_at = now()`)).toBe(
    permissionDenied,
  );
  expect(await store.cancel(report.id, "basic:alice")).toMatchObject({ status: "CANCELLED" });
  expect(
    await codeOf(
      sql`update reports set status = 'QUEUED', finished_at = null, revision = revision + 1, updated_at = now()`,
    ),
  ).toBe(permissionDenied);
  expect(await store.remove(report.id, "basic:alice")).not.toBeNull();
  expect(await codeOf(sql`update reports set deleted_at = null, revision = revision + 1, updated_at = now()`)).toBe(
    permissionDenied,
  );
});

test("the worker's role can delete tombstones of the inventory, but no active row", async () => {
  await using opened = await openWithRoles();
  const { owner } = opened;
  const worker = await opened.openAs("worker");
  const [proxy] = await owner`
    insert into proxies (id, name, kind, address, port, protocol) values (gen_random_uuid(), 'edge', 'REVERSE', '192.0.2.1', 80, 'HTTP') returning id`;
  await owner`
    insert into domains (id, proxy_id, hostname, hostname_ascii, upstream_scheme, upstream_host, upstream_port, tls_mode)
    values (gen_random_uuid(), ${proxy!["id"]}, 'a.example', 'a.example', 'HTTP', 'b', 80, 'NONE')`;
  const remove = async () => [
    (await worker.sql`delete from domains`).count,
    (await worker.sql`delete from proxies`).count,
  ];
  expect(await remove()).toEqual([0, 0]);
  await owner`update domains set deleted_at = now()`;
  await owner`update proxies set deleted_at = now()`;
  expect(await remove()).toEqual([1, 1]);
});

test("the worker's role starts scheduled reports only under the owner's current name", async () => {
  await using opened = await openWithRoles();
  const [api, worker] = [await opened.openAs("api"), await opened.openAs("worker")];
  const schedules = createScheduleStore(api.database, {
    read: async (work) => api.database.query(work),
    close: async () => undefined,
  });
  const id = randomUUID();
  const plan = { nextFireAt: new Date(), tzVersion: "2026a" };
  await schedules.create({ ...schedule, id, ownerName: "Ann Example" }, () => plan, 1);
  const start = (requesterName: string | null, countedFor: string | null = null) => worker.sql`
    insert into reports (
      id, report_type, definition_version, title, status, search_param, options, requested_by, requester_name, schedule_id, progress_phase, max_failures,
      counted_for)
    values (gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', ${schedule.owner}, ${requesterName}, ${id}, 'waiting', 3, ${countedFor})`;
  expect(await codeOf(start("Ann Example"))).toBe("allowed");
  expect(await codeOf(start(null))).toBe("allowed");
  expect(await codeOf(start("Eve Example"))).toBe(permissionDenied);
  expect(await codeOf(start("Ann Example", "basic:somebody"))).toBe(permissionDenied);
  const change = { ...schedule, settings: schedule, status: "ACTIVE", plan: null, confirms: true } as const;
  expect(await schedules.change(id, () => ({ ...change, ownerName: "Ann Married" }))).toMatchObject({
    ownerName: "Ann Married",
  });
  expect(await codeOf(start("Ann Example"))).toBe(permissionDenied);
});

test("a report's first event can name only its requester, schedule or manual caller", async () => {
  await using opened = await openWithRoles();
  const id = randomUUID();
  await opened.owner`
    insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone, counted_from, tz_version, missed,
      missed_within_seconds, overlap, owner, status, next_fire_at)
    values (${id}, 'n', 'PROXY', 1, '{}', '{}', '0 0 * * *', 'UTC', now(), '2026a', 'SKIP', 0, 'SKIP', 'basic:alice', 'ACTIVE', now())`;
  const outcomeOf = async (role: "api" | "worker", actor: string, countedFor: string | null) => {
    const { sql } = await opened.openAs(role);
    const report = randomUUID();
    return codeOf(
      sql.begin(async (tx) => {
        await tx`
          insert into reports (
            id, report_type, definition_version, title, status, search_param, options, requested_by, schedule_id, progress_phase, max_failures, counted_for)
          values (${report}, 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:alice', ${id}, 'waiting', 3, ${countedFor})`;
        await addEvent(tx, report, null, "QUEUED", actor);
      }),
    );
  };
  const admin = "basic:admin";
  expect(
    await Promise.all([
      outcomeOf("api", admin, admin),
      // The previous version of the API writes this actor, so Postgres must still allow it.
      outcomeOf("api", "basic:alice", admin),
      outcomeOf("api", "basic:bob", admin),
      outcomeOf("api", `schedule:${id}`, admin),
      outcomeOf("worker", `schedule:${id}`, null),
      outcomeOf("worker", "basic:alice", null),
      outcomeOf("worker", `schedule:${randomUUID()}`, null),
      outcomeOf("worker", "worker:w", null),
    ]),
  ).toEqual([
    "allowed",
    "allowed",
    permissionDenied,
    permissionDenied,
    "allowed",
    "allowed",
    permissionDenied,
    permissionDenied,
  ]);
});

test("both database roles can read the oldest snapshot's age, but no other session", async () => {
  await using opened = await openWithRoles();
  const { owner } = opened;
  const [{ pid } = { pid: 0 }] = await owner<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const roles = [await opened.openAs("api"), await opened.openAs("worker")];
  await owner.begin("isolation level repeatable read", async (held) => {
    await held`select 'a tenant of this server'`;
    for (const { database, sql } of roles) {
      const seen = await sql`select query, xact_start from pg_stat_activity where pid = ${pid}`;
      expect([...seen]).toEqual([{ query: "<insufficient privilege>", xact_start: null }]);
      expect(await database.query(readOldestDbSnapshotAgeMs)).toBeGreaterThan(0);
      const [{ granted } = { granted: true }] = await sql`
        select pg_has_role('pg_read_all_stats', 'MEMBER') as granted`;
      expect(granted).toBe(false);
    }
  });
});

test("createDatabaseRoles returns the statements that the tables' owner may not run", async () => {
  await using opened = await openWithRoles();
  const name = `test_${randomBytes(6).toString("hex")}`;
  await opened.owner.unsafe(`create role ${name} login createrole password 'x'`);
  await opened.owner.unsafe(`create database ${name}`);
  const url = new URL(opened.url);
  url.pathname = `/${name}`;
  const admin = postgres(url.href, { max: 1, onnotice: () => undefined });
  await admin.unsafe(`grant create on database ${name} to ${name}; grant all on schema public to ${name}`);
  await admin.end();
  const plain = Object.assign(new URL(url), { username: name, password: "x" }).href;
  await migrateDatabase({ databaseUrl: plain });
  expect(await createDatabaseRoles({ databaseUrl: plain })).toEqual([
    `REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`,
    expect.stringMatching(/^REVOKE EXECUTE ON FUNCTION .*lo_creat\(integer\).* FROM PUBLIC$/),
  ]);
  const superuser = postgres(url.href, { max: 1, onnotice: () => undefined });
  for (const statement of await createDatabaseRoles({ databaseUrl: plain })) await superuser.unsafe(statement);
  await superuser.end();
  expect(await createDatabaseRoles({ databaseUrl: plain })).toEqual([]);
  await opened.owner.unsafe(`drop database ${name} with (force)`);
  await opened.owner.unsafe(`drop role ${name}`);
});

test("roles.sql grants each table to a role, and running it again changes nothing", async () => {
  await using opened = await openWithRoles();
  const rights = async () => opened.owner`
    select c.relname::text as name, c.relacl::text as rights,
      (select array_agg(a.attname || a.attacl::text order by a.attname) from pg_attribute a where a.attrelid = c.oid and a.attacl is not null) as columns
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`;
  const before = await rights();
  expect(await createDatabaseRoles({ databaseUrl: opened.url })).toEqual([]);
  expect(await rights()).toEqual(before);
  const closed = before.filter(({ rights: given, columns }) => !`${given} ${columns}`.includes("reports_"));
  expect(closed.map(({ name }) => name as string)).toEqual([]);
});

async function readQueue(database: Database) {
  return (await database.query(async (queries) => readLaneLoads(queries)))[0]!;
}

test.each(["api", "worker"] as const)(
  "assertRoleRights names each missing right of the %s, and none if all are granted",
  async (role) => {
    await using opened = await openWithRoles();
    const { database } = await opened.openAs(role);
    const of = { role, queueSchema: defaultQueueSchema };
    await expect(assertRoleRights(database, of)).resolves.toBeUndefined();
    const owner = createDatabase({ url: opened.url });
    await expect(assertRoleRights(owner, of)).resolves.toBeUndefined();
    const name = databaseRoles[role];
    const found: string[] = [];
    const rights = parseGrantsTo(name, await readFile(rolesScriptPath, "utf8"));
    // In CI, each right is missing alone. Elsewhere, a quarter of all rights is missing together.
    const groups = Object.values(Object.groupBy(rights, (_, index) => (isFullTestRun ? index : index % 4)));
    for (const group of groups) {
      const undone = owner.transaction(async (tx) => {
        for (const { on, schema, name: object, column, privilege } of group!) {
          const privileges = column === "" ? privilege : `${privilege} (${column})`;
          const target = on === "schema" ? schema : `${schema}.${object}`;
          const kind = { schema: "schema ", table: "", column: "", function: "function " }[on];
          await tx.execute(`revoke ${privileges} on ${kind}${target} from public, ${name}`);
        }
        await tx.execute(`set local role ${name}`);
        found.push(...(await findMissingRights(tx, of)));
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
    }
    await owner.close();
    expect([found.length, new Set(found).size]).toEqual([rights.length, rights.length]);
    expect(found).toContain(role === "api" ? "UPDATE (title) on reports" : "UPDATE (noted_at) on file_suspicions");
    expect(found).toContain("USAGE on schema drizzle");
    expect(found).toContain("EXECUTE on enqueue_reports");
  },
);

test("assertRoleRights names all rights, including those of the queue, if none is granted", async () => {
  await using opened = await openWithRoles();
  const { database, sql } = await opened.openAs("worker");
  const [user] = await sql<{ name: string }[]>`select current_user as name`;
  await opened.owner.unsafe(`revoke ${databaseRoles.worker} from ${user!.name}`);
  const check = assertRoleRights(database, { role: "worker", queueSchema: defaultQueueSchema });
  await expect(check).rejects.toThrow(
    /lacks USAGE on schema drizzle, .*SELECT on reports, .*pnpm operate database-roles/,
  );
  await expect(check).rejects.toThrow("UPDATE on report_queue_quick._private_jobs");
});

test("parseGrantsTo throws for a GRANT statement that it cannot parse", () => {
  expect(() => parseGrantsTo("reports_api", "GRANT reports_api TO somebody;")).toThrow("cannot be read");
});
