import { randomUUID } from "node:crypto";
import { evaluateLoss, unlimitedStarts, type Report } from "@reports/core/report";
import { newestFirstSort } from "@reports/core/record";
import { webhookLimits, type DeliveryResult, type DeliveryClaimRules, type Webhook } from "@reports/core/webhook";
import {
  createTestDatabases,
  makeNewReport,
  administratorDeliveryFilter,
  unrestrictedClaimTerms,
} from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { createReconciliationStore } from "../reports/reconciliation-store.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createLostAttemptRescuer } from "../reports/rescuer.ts";
import { createRetentionStore } from "../reports/retention-store.ts";
import { createDeliveryQueue, readWebhookCounts } from "./delivery-queue.ts";
import { createWebhookLists } from "./webhook-lists.ts";
import { createWebhookStore } from "./webhook-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  // Some statements of these tests write thousands of deliveries.
  database = createDatabase({ url: clone.url, deadlineMs: 120_000 });
});
afterAll(async () => {
  await database.close();
  await clone[Symbol.asyncDispose]();
});

const store = () => createWebhookStore(database);
const queue = () => createDeliveryQueue(database);
const claimDelivery = async (rules: Partial<DeliveryClaimRules> = {}) =>
  queue().claim({
    holdMs: 60_000,
    perWebhook: 1,
    keys: ["sealed", "sealed-2"],
    confirmDays: 90,
    excludedOwners: [],
    ...rules,
  });
const reports = () => createReportStore(database);
const run = async (statement: SQL) => database.query((queries) => queries.execute(statement));
const lists = () => createWebhookLists({ read: async (work) => database.query(work) });
const newest = { filters: {}, sort: newestFirstSort, limit: 200, after: null, count: false };
const { signal } = new AbortController();
const deliveriesOf = async ({ id }: Webhook) =>
  (await lists().deliveries({ ...newest, webhookId: id, visible: administratorDeliveryFilter }, signal)).items;
const webhooksOf = async (owner: string) => (await lists().webhooks({ ...newest, owner }, signal)).items;
const hookOf = (owner: string, changes: Partial<Webhook> = {}) => ({
  id: randomUUID(),
  owner,
  url: "https://receiver.example/hook",
  events: ["report.succeeded", "report.failed", "report.cancelled", "report.expired"] as const,
  reportTypes: null,
  of: "OWN" as const,
  ownerAuthorities: ["WEBHOOKS_WRITE"],
  secret: "sealed",
  ...changes,
});

async function openOwner(changes: Partial<Webhook> = {}) {
  const owner = `issuer|${randomUUID()}`;
  const hook = (await store().create(hookOf(owner, changes), webhookLimits)) as Webhook;
  return {
    owner,
    hook,
    start: async (more: object = {}) =>
      (await reports().createQueued(makeNewReport({ requestedBy: owner, ...more }), unlimitedStarts)).report,
    queued: async () => (await deliveriesOf(hook)).toReversed().map(({ type, reportId }) => [type, reportId]),
    [Symbol.asyncDispose]: async () => store().remove(hook.id, () => undefined),
  };
}

const claim = async (id: string, leaseMs = 25_000) =>
  reports().claim(id, { workerId: "w1", leaseMs, ...unrestrictedClaimTerms });
const fileOf = (id: string) => ({
  id: randomUUID(),
  fileName: "proxies.csv",
  extension: "csv",
  contentType: "text/csv",
  sizeBytes: 1,
  sha256: "a".repeat(64),
  columns: ["name"],
  storageKey: `reports/${id}/1-a.csv`,
  storedVersion: "1",
});
const succeed = async ({ id }: Report, retentionMs = 60_000) => {
  await claim(id);
  const done = { file: fileOf(id), rowCount: 1, dataAsOf: new Date(), warnings: [], retentionMs };
  return reports().complete(id, 1, done);
};

test("every way to end a report queues its webhook event in the same transaction", async () => {
  await using opened = await openOwner();
  const failure = { code: "INTERNAL", detail: "", retryable: false, spendsFailure: false } as const;
  const failed = await opened.start();
  await claim(failed.id);
  await reports().fail(failed.id, 1, failure);
  const cancelled = await opened.start();
  await reports().cancel(cancelled.id, opened.owner);
  const removed = await opened.start();
  await reports().remove(removed.id, opened.owner);
  const lost = await opened.start({ maxFailures: 1 });
  await claim(lost.id, -1);
  const limits = { deadAfterMs: 1, maxBackoffMs: 0, joblessAfterMs: 10_000 };
  const asFailed = (...given: Parameters<typeof evaluateLoss>) =>
    ({ ...evaluateLoss(...given), kind: "fail", failure, spendsFailure: false }) as ReturnType<typeof evaluateLoss>;
  await createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema }).rescue(asFailed, limits);
  const expired = await opened.start();
  await succeed(expired, -1);
  await createRetentionStore(database).expire(500);
  const damaged = await opened.start();
  const { file } = await succeed(damaged);
  await createReconciliationStore(database).expireNamed([file!.storageKey]);
  expect(await opened.queued()).toEqual([
    ["report.failed", failed.id],
    ["report.cancelled", cancelled.id],
    ["report.cancelled", removed.id],
    ["report.failed", lost.id],
    ["report.succeeded", expired.id],
    ["report.expired", expired.id],
    ["report.succeeded", damaged.id],
    ["report.expired", damaged.id],
  ]);
});

test("a change of a report's state that is rolled back queues no webhook event", async () => {
  await using opened = await openOwner();
  const report = await opened.start();
  await expect(
    database.transaction(async (tx) => {
      await tx.execute(sql`
        insert into report_events (report_id, from_status, to_status, attempt, actor) values (${report.id}, 'QUEUED', 'CANCELLED', 0, 'x')`);
      throw new Error("no");
    }),
  ).rejects.toThrow("no");
  expect(await opened.queued()).toEqual([]);
});

test("a webhook event has the status and revision that its report had at that moment", async () => {
  await using opened = await openOwner();
  const ended = await succeed(await opened.start({ requestId: "request-1" }));
  await reports().rename(ended.id, ended.revision, "Other");
  const taken = (await claimDelivery())!;
  expect(taken).toMatchObject({ webhookId: opened.hook.id, tries: 0, url: opened.hook.url, isOwnerAllowed: true });
  expect(taken.data).toEqual({
    id: ended.id,
    reportType: "PROXY",
    status: "SUCCEEDED",
    revision: ended.revision,
    scheduleId: null,
    requestId: "request-1",
  });
  await queue().complete(taken, { kind: "delivered", status: 204, durationMs: 3 });
});

test("a webhook gets only events of its scope, report types and event types", async () => {
  await using own = await openOwner();
  await using other = await openOwner({ events: ["report.failed"] });
  await using all = await openOwner({ of: "ALL", reportTypes: ["PROXY"] });
  await using otherType = await openOwner({ of: "ALL", reportTypes: ["PROXY_DOMAIN"] });
  const mine = await own.start();
  await reports().cancel(mine.id, own.owner);
  const theirs = await other.start();
  await reports().cancel(theirs.id, other.owner);
  expect(await own.queued()).toEqual([["report.cancelled", mine.id]]);
  expect(await other.queued()).toEqual([]);
  expect(await otherType.queued()).toEqual([]);
  expect(await all.queued()).toEqual([
    ["report.cancelled", mine.id],
    ["report.cancelled", theirs.id],
  ]);
  const idsOf = async (hook: Webhook) => (await deliveriesOf(hook)).filter(({ reportId }) => reportId === mine.id);
  expect((await idsOf(own.hook))[0]!.eventId).toBe((await idsOf(all.hook))[0]!.eventId);
});

test("only a report's end runs the webhook trigger; deleted webhooks get no event", async () => {
  await using opened = await openOwner();
  const report = await opened.start();
  const callsFor = async (to: string) => {
    const explained = await database
      .transaction(async (tx) => {
        const [row] = await tx.execute(sql`
          explain (analyze, format json) insert into report_events (report_id, from_status, to_status, attempt, actor)
          values (${report.id}, null, ${to}, 0, 'x')`);
        throw Object.assign(new Error("undone"), { row });
      })
      .catch(
        (error: { row: Record<string, [{ Triggers: { "Trigger Name": string; Calls: number }[] }]> }) => error.row,
      );
    const { Triggers: triggers } = explained["QUERY PLAN"]![0];
    return triggers.find((each) => each["Trigger Name"] === "report_events_tell_webhooks")?.Calls ?? 0;
  };
  expect([await callsFor("QUEUED"), await callsFor("RUNNING"), await callsFor("FAILED")]).toEqual([0, 0, 1]);
  await store().remove(opened.hook.id, () => undefined);
  await reports().cancel(report.id, opened.owner);
  expect(await opened.queued()).toEqual([]);
});

test("ending a report does not wait for a worker that has locked the webhook", async () => {
  await using opened = await openOwner();
  await reports().cancel((await opened.start()).id, opened.owner);
  const second = await opened.start();
  await database.transaction(async (tx) => {
    await tx.execute(sql`update webhooks set tried_at = now() where id = ${opened.hook.id}`);
    await reports().cancel(second.id, opened.owner);
  });
  expect(await opened.queued()).toHaveLength(2);
});

test("events for a webhook with 10,000 waiting deliveries are dropped", async () => {
  await using opened = await openOwner();
  await run(sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, next_try_at)
    select gen_random_uuid(), ${opened.hook.id}, gen_random_uuid(), 'report.failed', '{}', 'infinity' from generate_series(1, 9999)`);
  const [last, more] = [await opened.start(), await opened.start()];
  await reports().cancel(last.id, opened.owner);
  await reports().cancel(more.id, opened.owner);
  const [dropped, pending] = await deliveriesOf(opened.hook);
  expect(pending).toMatchObject({ status: "PENDING", reportId: last.id });
  expect(dropped).toMatchObject({ status: "DROPPED", lastErrorCode: "TOO_MANY", reportId: more.id, nextTryAt: null });
  expect(await database.query((queries) => readWebhookCounts(queries))).toMatchObject({ dropped: 1 });
  await run(sql`update webhook_deliveries set ended_at = now() - interval '61 minutes' where id = ${dropped!.id}`);
  expect(await database.query((queries) => readWebhookCounts(queries))).toMatchObject({ dropped: 0 });
});

const failed: DeliveryResult = {
  kind: "failed",
  status: 500,
  code: "BAD_STATUS",
  found: "BAD_STATUS",
  durationMs: 4,
  nextInMs: 0,
  isPostponed: false,
  backoffMs: 0,
  pause: null,
};

test("webhooks are served in turn, and a webhook pauses after a failed delivery", async () => {
  await using dead = await openOwner();
  await using living = await openOwner();
  for (const opened of [dead, dead, dead, living]) await reports().cancel((await opened.start()).id, opened.owner);
  const first = (await claimDelivery())!;
  const second = (await claimDelivery())!;
  expect(new Set([first.webhookId, second.webhookId])).toEqual(new Set([dead.hook.id, living.hook.id]));
  expect(await claimDelivery()).toBeNull();
  const [ofDead, ofLiving] = first.webhookId === dead.hook.id ? [first, second] : [second, first];
  await queue().complete(ofLiving, { kind: "delivered", status: 200, durationMs: 1 });
  await queue().complete(ofDead, { ...failed, backoffMs: 60_000 });
  expect(await claimDelivery()).toBeNull();
  await run(sql`update webhooks set rests_until = null where id = ${dead.hook.id}`);
  const again = (await claimDelivery())!;
  expect(again).toMatchObject({ webhookId: dead.hook.id, failuresInARow: 1 });
  expect(again.failingForMs).toBeGreaterThanOrEqual(0);
  await queue().complete(again, { kind: "delivered", status: 200, durationMs: 1 });
  expect(await claimDelivery()).toMatchObject({
    webhookId: dead.hook.id,
    failuresInARow: 0,
    failingForMs: null,
  });
});

test("a claim serves the owner whose last attempt is oldest, except excluded owners", async () => {
  await using many = await openOwner();
  await using few = await openOwner();
  const others: Webhook[] = [];
  while (others.length < 3) others.push((await store().create(hookOf(many.owner), webhookLimits)) as Webhook);
  for (const opened of [many, few]) await reports().cancel((await opened.start()).id, opened.owner);
  await run(sql`update webhooks set tried_at = now() - interval '1 hour' where owner = ${many.owner}`);
  await run(sql`update webhooks set tried_at = now() - interval '1 minute' where id = ${few.hook.id}`);
  await run(sql`update webhooks set tried_at = now() where id = ${many.hook.id}`);
  expect(await claimDelivery({ excludedOwners: [few.owner] })).toMatchObject({ owner: many.owner });
  expect(await claimDelivery()).toMatchObject({ owner: few.owner });
  expect(await claimDelivery({ excludedOwners: [many.owner] })).toBeNull();
  for (const { id } of others) await store().remove(id, () => undefined);
});

test("an expired hold frees its delivery, and a late worker can record only a success", async () => {
  await using opened = await openOwner();
  await reports().cancel((await opened.start()).id, opened.owner);
  const asleep = (await claimDelivery({ holdMs: -1 }))!;
  const next = (await claimDelivery())!;
  expect(next.id).toBe(asleep.id);
  await queue().complete(asleep, { ...failed, pause: "FAILING" });
  expect(await store().find(opened.hook.id)).toMatchObject({ status: "ACTIVE" });
  expect(await store().findDelivery(opened.hook.id, next.id, administratorDeliveryFilter)).toMatchObject({
    status: "PENDING",
    tries: 0,
  });
  await queue().complete(asleep, { kind: "delivered", status: 200, durationMs: 1 });
  await queue().complete(next, failed);
  expect(await store().findDelivery(opened.hook.id, next.id, administratorDeliveryFilter)).toMatchObject({
    status: "DELIVERED",
    tries: 1,
  });
});

test("no duration is stored for a delivery whose connection failed", async () => {
  await using opened = await openOwner();
  await reports().cancel((await opened.start()).id, opened.owner);
  const taken = (await claimDelivery())!;
  const unconnected = { code: "CONNECTION_FAILED", found: "NAME_NOT_FOUND", status: null, durationMs: 9 } as const;
  await queue().complete(taken, { ...failed, ...unconnected });
  const stored = { tries: 1, lastErrorCode: "CONNECTION_FAILED", durationMs: null };
  expect(await store().findDelivery(opened.hook.id, taken.id, administratorDeliveryFilter)).toMatchObject(stored);
});

test("a claimed delivery says whether its owner still has the required authorities", async () => {
  const name = `user-${randomUUID().slice(0, 8)}`;
  await run(
    sql`insert into users (name, password_hash, authorities) values (${name}, 'x', '{REPORT_PROXY,WEBHOOKS_WRITE}')`,
  );
  const ofUser = await store().create(hookOf(`basic:${name}`), webhookLimits);
  const needs = { requiredAuthority: "REPORT_PROXY" };
  const { report } = await reports().createQueued(
    makeNewReport({ requestedBy: `basic:${name}`, ...needs }),
    unlimitedStarts,
  );
  await reports().cancel(report.id, "x");
  const isAllowed = async (webhook: unknown) => {
    const { id } = webhook as Webhook;
    await run(sql`update webhooks set tried_at = null where id = ${id}`);
    const taken = (await claimDelivery())!;
    await queue().complete(taken, { kind: "released", pause: null });
    return [taken.webhookId === id, taken.isOwnerAllowed];
  };
  expect(await isAllowed(ofUser)).toEqual([true, true]);
  for (const change of [
    sql`authorities = '{REPORT_PROXY}'`,
    sql`authorities = '{WEBHOOKS_WRITE}'`,
    sql`authorities = '{REPORT_PROXY,WEBHOOKS_WRITE}', disabled_at = now()`,
  ]) {
    await run(sql`update users set ${change} where name = ${name}`);
    expect(await isAllowed(ofUser)).toEqual([true, false]);
  }
  await run(sql`update users set disabled_at = null where name = ${name}`);
  await run(sql`update webhooks set of_whom = 'ALL' where id = ${(ofUser as Webhook).id}`);
  expect(await isAllowed(ofUser)).toEqual([true, false]);
  await run(sql`update users set authorities = authorities || '{REPORTS_ADMIN}' where name = ${name}`);
  expect(await isAllowed(ofUser)).toEqual([true, true]);
  await store().remove((ofUser as Webhook).id, () => undefined);
  await using ofIssuer = await openOwner();
  await reports().cancel((await ofIssuer.start(needs)).id, "x");
  expect(await isAllowed(ofIssuer.hook)).toEqual([true, false]);
});

test("confirmDays limits the confirmation of an issuer's owner, not of a local user", async () => {
  const name = `user-${randomUUID().slice(0, 8)}`;
  await run(sql`insert into users (name, password_hash, authorities) values (${name}, 'x', '{WEBHOOKS_WRITE}')`);
  const ofUser = (await store().create(hookOf(`basic:${name}`), webhookLimits)) as Webhook;
  await using ofIssuer = await openOwner();
  const isSeen = async ({ id }: Webhook, days: number) => {
    await run(sql`update webhooks set confirmed_at = now() - make_interval(days => ${days}::integer) where id = ${id}`);
    const test = await store().addTest(id, { id: randomUUID(), eventId: randomUUID() });
    const taken = (await claimDelivery({ confirmDays: 30 }))!;
    await run(sql`delete from webhook_deliveries where id = ${(test as { id: string }).id}`);
    return [taken.webhookId === id, taken.isOwnerAllowed, taken.isOwnerSeen];
  };
  expect(await isSeen(ofUser, 31)).toEqual([true, true, true]);
  expect(await isSeen(ofIssuer.hook, 29)).toEqual([true, true, true]);
  expect(await isSeen(ofIssuer.hook, 31)).toEqual([true, true, false]);
  await store().remove(ofUser.id, () => undefined);
});

test("a webhook's owner is confirmed by a request with all stored authorities", async () => {
  await using opened = await openOwner();
  const { owner, hook } = opened;
  const confirms = async (confirm: () => Promise<unknown>) => {
    await run(sql`update webhooks set confirmed_at = now() - interval '2 days' where id = ${hook.id}`);
    await confirm();
    const [row] = await run(
      sql`select confirmed_at > now() - interval '1 day' as seen from webhooks where id = ${hook.id}`,
    );
    return row!["seen"];
  };
  expect(await confirms(async () => store().confirmOwner(owner, ["REPORTS_ADMIN"]))).toBe(true);
  expect(await confirms(async () => store().confirmOwner(owner, []))).toBe(true);
  expect(await store().confirmOwner(owner, [])).toBe(0);
  expect(await confirms(async () => store().confirmOwner(owner, ["WEBHOOKS_WRITE"]))).toBe(false);
  expect(await confirms(async () => store().confirmOwner(`${owner}x`, []))).toBe(false);
  const ownerAuthorities = ["WEBHOOKS_WRITE"];
  expect(await confirms(async () => store().change(hook.id, () => ({ ownerAuthorities }), webhookLimits))).toBe(true);
  expect(
    await confirms(async () => store().change(hook.id, () => ({ events: ["report.failed"] }), webhookLimits)),
  ).toBe(false);
});

test("a webhook sends no event of others after its owner lost REPORTS_ADMIN", async () => {
  await using other = await openOwner();
  await using opened = await openOwner({ of: "ALL", events: ["report.cancelled", "schedule.paused"] });
  const { id } = opened.hook;
  const mine = await opened.start();
  await reports().cancel(mine.id, opened.owner);
  await reports().cancel((await other.start()).id, other.owner);
  const pauseOf = async (owner: string) => {
    const [schedule] = await run(sql`
      insert into report_schedules (id, name, report_type, definition_version, search_param, options, cron, timezone, counted_from, missed,
        missed_within_seconds, overlap, status, tz_version, owner, next_fire_at)
      values (${randomUUID()}, 'Yearly', 'PROXY', 1, '{}', '{}', '0 0 1 1 *', 'UTC', now(), 'SKIP', 60, 'SKIP', 'ACTIVE', '2026a', ${owner}, now())
      returning id::text`);
    await run(sql`
      select queue_webhook_deliveries('schedule.paused', ${owner}, 'PROXY', null::uuid, jsonb_build_object('scheduleId', ${schedule!["id"]}::text))`);
    return schedule!["id"] as string;
  };
  const mySchedule = await pauseOf(opened.owner);
  await pauseOf(other.owner);
  await store().addTest(id, { id: randomUUID(), eventId: randomUUID() });
  const allowed = async () => {
    const found: unknown[] = [];
    for (const { id: deliveryId } of await deliveriesOf(opened.hook)) {
      await run(sql`update webhook_deliveries set next_try_at = 'infinity' where webhook_id = ${id}`);
      await run(sql`update webhook_deliveries set next_try_at = now() where id = ${deliveryId}`);
      const taken = (await claimDelivery({ excludedOwners: [other.owner] }))!;
      await queue().complete(taken, { kind: "released", pause: null });
      if (taken.isOwnerAllowed) found.push(taken.data["id"] ?? taken.data["scheduleId"] ?? taken.type);
    }
    return new Set(found);
  };
  await run(sql`update webhooks set owner_authorities = '{WEBHOOKS_WRITE,REPORTS_ADMIN}' where id = ${id}`);
  expect((await allowed()).size).toBe(5);
  await run(sql`update webhooks set owner_authorities = '{WEBHOOKS_WRITE}', of_whom = 'OWN' where id = ${id}`);
  expect(await allowed()).toEqual(new Set([mine.id, mySchedule, "webhook.test"]));
});

test("concurrent requests cannot exceed the limits of webhooks per owner and for all", async () => {
  const owner = `issuer|${randomUUID()}`;
  const limits = { perOwner: 3, ofAll: 2 };
  const make = async (changes: Partial<Webhook> = {}) => store().create(hookOf(owner, changes), limits);
  const made = await Promise.all(Array.from({ length: 6 }, async () => make()));
  expect(made.filter((each) => each === "too-many-of-owner")).toHaveLength(3);
  const own = await webhooksOf(owner);
  expect(own).toHaveLength(3);
  const [first, second, third] = own as [Webhook, Webhook, Webhook];
  const toAll = async ({ id }: Webhook) => store().change(id, () => ({ of: "ALL" }), limits);
  const changed = await Promise.all([toAll(first), toAll(second), toAll(third)]);
  expect(changed.filter((each) => each === "too-many-of-all")).toHaveLength(1);
  const all = changed.find((each) => each !== null && typeof each === "object")!;
  expect(await toAll(all)).toEqual(all);
  await Promise.all(own.map(async ({ id }) => store().remove(id, () => undefined)));
  expect(await make()).toMatchObject({ status: "ACTIVE" });
  expect(await store().find(first.id)).toMatchObject({ deletedAt: expect.any(Date) });
  for (const { id } of await webhooksOf(owner)) await store().remove(id, () => undefined);
});

test("only a resume or a new URL resets failures, and earlier attempts no longer count", async () => {
  await using opened = await openOwner();
  const { id } = opened.hook;
  const change = async (to: Partial<Webhook>) => store().change(id, () => ({ status: "ACTIVE", ...to }), webhookLimits);
  const failures = async () =>
    (await run(sql`select failures_in_a_row as failures from webhooks where id = ${id}`))[0]!["failures"];
  await store().addTest(id, { id: randomUUID(), eventId: randomUUID() });
  await queue().complete((await claimDelivery())!, { ...failed, nextInMs: 0, pause: null });
  await change({ events: ["report.failed"], url: opened.hook.url });
  expect(await failures()).toBe(1);
  await change({ url: "https://other.example/hook" });
  expect(await failures()).toBe(0);
  const before = (await claimDelivery())!;
  expect(before.url).toBe("https://other.example/hook");
  await run(sql`update webhooks set begun_at = null where id = ${id}`);
  await change({ url: "https://third.example/hook" });
  await queue().complete(before, { ...failed, nextInMs: null, pause: "GONE" });
  expect(await store().find(id)).toMatchObject({ status: "ACTIVE" });
  expect(await claimDelivery()).toMatchObject({ id: before.id, url: "https://third.example/hook" });
});

test("a resume or a new URL of a webhook restarts its waiting deliveries", async () => {
  await using opened = await openOwner();
  const { id } = opened.hook;
  const change = async (to: Partial<Webhook>) => store().change(id, () => to, webhookLimits);
  await reports().cancel((await opened.start()).id, opened.owner);
  const changes: Partial<Webhook>[] = [{ status: "ACTIVE" }, { url: "https://other.example/hook" }];
  for (const begins of changes) {
    const [waiting] = await deliveriesOf(opened.hook);
    await run(sql`
      update webhook_deliveries set tries = 6, next_try_at = now() + interval '10 hours' where id = ${waiting!.id}`);
    await run(sql`
      update webhooks set status = 'PAUSED', paused_because = 'FAILING', begun_at = null where id = ${id}`);
    await change({ events: begins.status ? ["report.failed"] : ["report.cancelled"] });
    expect(await store().findDelivery(id, waiting!.id, administratorDeliveryFilter)).toMatchObject({ tries: 6 });
    await change(begins);
    await run(sql`update webhooks set status = 'ACTIVE', paused_because = null where id = ${id}`);
    const taken = await claimDelivery();
    expect(taken).toMatchObject({ id: waiting!.id, tries: 0 });
    await queue().complete(taken!, { kind: "released", pause: null });
  }
});

test("an event can be delivered again, and old deliveries and webhooks are removed", async () => {
  await using opened = await openOwner();
  await reports().cancel((await opened.start()).id, opened.owner);
  const taken = (await claimDelivery())!;
  await queue().complete(taken, { ...failed, nextInMs: null, pause: "GONE" });
  const ended = {
    status: "FAILED",
    tries: 1,
    lastStatus: 500,
    lastErrorCode: "BAD_STATUS",
    durationMs: 4,
    nextTryAt: null,
  };
  expect(await store().findDelivery(opened.hook.id, taken.id, administratorDeliveryFilter)).toMatchObject(ended);
  const paused = (await store().find(opened.hook.id))!;
  expect(paused).toMatchObject({ status: "PAUSED", pausedBecause: "GONE" });
  expect(await store().redeliver(opened.hook.id, randomUUID(), administratorDeliveryFilter)).toBeNull();
  expect(await store().redeliver(opened.hook.id, taken.eventId, administratorDeliveryFilter)).toMatchObject({
    status: "PENDING",
    tries: 0,
    endedAt: null,
  });
  expect(await claimDelivery()).toBeNull();
  expect(await database.query((queries) => readWebhookCounts(queries))).toMatchObject({ paused: 1 });
  const active = await store().change(paused.id, () => ({ status: "ACTIVE" }), webhookLimits);
  expect(active).toMatchObject({ status: "ACTIVE", pausedBecause: null });
  const again = (await claimDelivery())!;
  expect(again).toMatchObject({ eventId: taken.eventId, failuresInARow: 0, secrets: ["sealed"] });
  await queue().complete(again, { kind: "released", pause: null });
  await store().rotate(opened.hook.id, "sealed-2", 60_000);
  await store().addTest(opened.hook.id, { id: randomUUID(), eventId: randomUUID() });
  expect((await claimDelivery())!.secrets).toEqual(["sealed-2", "sealed"]);
  await store().remove(opened.hook.id, () => undefined);
  const days = 86_400_000;
  await run(sql`update webhooks set deleted_at = now() - interval '91 days' where id = ${opened.hook.id}`);
  await run(
    sql`update webhook_deliveries set created_at = now() - interval '91 days' where webhook_id = ${opened.hook.id}`,
  );
  await createRetentionStore(database).purge(90 * days, 20_000);
  expect(await store().find(opened.hook.id)).toBeNull();
});
