import { randomUUID } from "node:crypto";
import {
  webhookLimits,
  type DeliveryResult,
  type ClaimedDelivery,
  type DeliveryClaimRules,
  type Webhook,
} from "@reports/core/webhook";
import { createTestDatabases, administratorDeliveryFilter } from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createDeliveryQueue, readWebhookCounts } from "./delivery-queue.ts";
import { claimDueDelivery } from "./take-delivery.ts";
import { createWebhookStore } from "./webhook-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = createDatabase({ url: clone.url });
});
afterAll(async () => {
  await database.close();
  await clone[Symbol.asyncDispose]();
});

const run = async (statement: SQL) => database.query((queries) => queries.execute(statement));
const everything: DeliveryClaimRules = {
  holdMs: 60_000,
  perWebhook: 4,
  keys: ["sealed", "sealed-2"],
  confirmDays: 90,
  excludedOwners: [],
};
const claim = async (rules: Partial<DeliveryClaimRules> = {}) =>
  createDeliveryQueue(database).claim({ ...everything, ...rules });
const complete = async (taken: ClaimedDelivery | null, result: DeliveryResult) =>
  createDeliveryQueue(database).complete(taken!, result);

const delivered: DeliveryResult = { kind: "delivered", status: 204, durationMs: 1 };
const failed = (changes: object = {}): DeliveryResult => ({
  kind: "failed",
  status: 500,
  code: "BAD_STATUS",
  found: "BAD_STATUS",
  durationMs: 4,
  nextInMs: 3_600_000,
  isPostponed: false,
  backoffMs: 0,
  pause: null,
  ...changes,
});

/** Creates a webhook with this many waiting deliveries. `await using` removes it, so that workers take no delivery of another test. */
async function openWebhook(waiting: number) {
  const store = createWebhookStore(database);
  const hook = (await store.create(
    {
      id: randomUUID(),
      owner: `issuer|${randomUUID()}`,
      url: "https://receiver.example/hook",
      events: ["report.failed"],
      reportTypes: null,
      of: "OWN",
      ownerAuthorities: ["WEBHOOKS_WRITE"],
      secret: "sealed",
    },
    webhookLimits,
  )) as Webhook;
  const ids = Array.from({ length: waiting }, () => randomUUID());
  for (const id of ids) await store.addTest(hook.id, { id, eventId: randomUUID() });
  const state = async () => {
    const [row] = await run(sql`
      select failures_in_a_row as failures, failing_since is not null as "isFailing", rests_until > now() as rests,
        extract(epoch from rests_until - now())::integer as "restSeconds"
      from webhooks where id = ${hook.id}`);
    return row!;
  };
  return {
    hook,
    ids,
    state,
    endRest: async () => run(sql`update webhooks set rests_until = null where id = ${hook.id}`),
    change: async (change: Partial<Webhook>) => store.change(hook.id, () => change, webhookLimits),
    find: async (id: string) => store.findDelivery(hook.id, id, administratorDeliveryFilter),
    [Symbol.asyncDispose]: async () => store.remove(hook.id, () => undefined),
  };
}

test("all workers together send at most four deliveries of a webhook at a time", async () => {
  await using opened = await openWebhook(12);
  const taken = (await Promise.all(Array.from({ length: 10 }, async () => claim()))).filter((each) => each !== null);
  // A claim returns null if another worker took the last slot at the same moment. So the test claims again.
  for (let next = await claim(); next !== null; next = await claim()) taken.push(next);
  expect(new Set(taken.map(({ id }) => id)).size).toBe(4);
  expect(new Set(taken.map(({ hold }) => hold)).size).toBe(4);
  await complete(taken[0]!, delivered);
  expect(await claim()).toMatchObject({ webhookId: opened.hook.id });
  expect(await claim()).toBeNull();
});

test("lastDeliveredAt is exact to a minute, and failingSince lasts until a success", async () => {
  await using opened = await openWebhook(3);
  const find = async () => (await createWebhookStore(database).find(opened.hook.id))!;
  const taken = [(await claim())!, (await claim())!, (await claim())!];
  expect(await find()).toMatchObject({ lastDeliveredAt: null, failingSince: null });
  await complete(taken[0]!, delivered);
  const { lastDeliveredAt } = await find();
  expect(lastDeliveredAt).toBeInstanceOf(Date);
  await complete(taken[1]!, delivered);
  expect((await find()).lastDeliveredAt).toEqual(lastDeliveredAt);
  await run(sql`update webhooks set last_delivered_at = now() - interval '61 seconds' where id = ${opened.hook.id}`);
  await complete(taken[2]!, failed());
  const failing = await find();
  expect(failing.failingSince).toBeInstanceOf(Date);
  await opened.endRest();
  await createWebhookStore(database).addTest(opened.hook.id, { id: randomUUID(), eventId: randomUUID() });
  await complete(await claim(), delivered);
  const recovered = await find();
  expect([recovered.failingSince, recovered.revision]).toEqual([null, opened.hook.revision]);
  expect(recovered.lastDeliveredAt!.getTime()).toBeGreaterThan(failing.lastDeliveredAt!.getTime());
});

test("a failed attempt does not change a delivery that an older worker has ended", async () => {
  await using opened = await openWebhook(1);
  const taken = await claim();
  // A worker of the previous version has one hold per webhook. It ends a delivery without regard to the delivery's own hold.
  await run(sql`
    update webhook_deliveries set status = 'DELIVERED', next_try_at = null, ended_at = now() where id = ${opened.ids[0]}`);
  await complete(taken, failed());
  expect(await opened.find(opened.ids[0]!)).toMatchObject({ status: "DELIVERED" });
  expect(await opened.state()).toMatchObject({ failures: 0 });
});

test("concurrent failed attempts count as one of a webhook's failures in a row", async () => {
  await using opened = await openWebhook(6);
  const taken = [await claim(), await claim(), await claim(), await claim()];
  for (const each of taken) await complete(each, failed({ backoffMs: 60_000 }));
  expect(await opened.state()).toMatchObject({ failures: 1, isFailing: true, rests: true });
  await opened.endRest();
  const probe = await claim();
  expect(probe).toMatchObject({ failuresInARow: 1 });
  await complete(probe, failed());
  expect(await opened.state()).toMatchObject({ failures: 2 });
});

test("after a failure, a webhook gets one delivery at a time until one succeeds", async () => {
  await using opened = await openWebhook(8);
  const [first, second] = [await claim(), await claim()];
  await complete(first, failed());
  expect(await claim()).toBeNull();
  await complete(second, failed());
  const probe = await claim();
  expect(probe).not.toBeNull();
  expect(await claim()).toBeNull();
  await complete(probe, delivered);
  expect(await opened.state()).toMatchObject({ failures: 0, isFailing: false });
  for (let count = 0; count < 4; count++) expect(await claim()).not.toBeNull();
  expect(await claim()).toBeNull();
});

test("a concurrent success does not end the pause that Retry-After requested", async () => {
  await using opened = await openWebhook(4);
  const [first, second, third] = [await claim(), await claim(), await claim()];
  await complete(first, failed({ backoffMs: 600_000, isPostponed: true }));
  await complete(second, delivered);
  await complete(third, failed({ backoffMs: 5_000 }));
  expect(await opened.state()).toMatchObject({ failures: 1, rests: true });
  expect((await opened.state())["restSeconds"]).toBeGreaterThan(500);
  expect(await claim()).toBeNull();
  // Due deliveries don't count as overdue during a pause that the receiver requested.
  await run(
    sql`update webhook_deliveries set next_try_at = now() - interval '1 hour' where webhook_id = ${opened.hook.id} and status = 'PENDING'`,
  );
  await run(sql`update webhooks set failures_in_a_row = 0 where id = ${opened.hook.id}`);
  expect(await database.query((queries) => readWebhookCounts(queries))).toMatchObject({ overdueMs: 0 });
});

test("a worker whose hold on a delivery has ended can record only a success", async () => {
  await using opened = await openWebhook(2);
  const [asleep, other] = [await claim({ holdMs: -1 }), await claim()];
  // The first claim's hold ended immediately, so its delivery may be claimed a second time. The other delivery is still held.
  const again = other!.id === asleep!.id ? other : await claim();
  const untouched = other!.id === asleep!.id ? await claim() : other;
  expect(again!.id).toBe(asleep!.id);
  await complete(asleep, failed({ pause: "GONE", backoffMs: 60_000 }));
  expect(await opened.state()).toMatchObject({ failures: 0, rests: null });
  expect(await opened.find(asleep!.id)).toMatchObject({ status: "PENDING", tries: 0 });
  await complete(asleep, delivered);
  await complete(again, failed());
  expect(await opened.find(asleep!.id)).toMatchObject({ status: "DELIVERED", tries: 1 });
  await complete(untouched, delivered);
  expect(await opened.find(untouched!.id)).toMatchObject({ status: "DELIVERED" });
});

test("concurrent 410 responses pause a webhook and raise its revision once", async () => {
  await using opened = await openWebhook(4);
  const taken = [await claim(), await claim(), await claim()];
  for (const each of taken) await complete(each, failed({ nextInMs: null, pause: "GONE" }));
  const [row] = await run(sql`select status, revision::integer as revision from webhooks where id = ${opened.hook.id}`);
  expect(row).toEqual({ status: "PAUSED", revision: 2 });
});

test("a webhook's retries and first attempts alternate while it has both", async () => {
  await using opened = await openWebhook(20);
  const retries = new Set<string>(opened.ids.slice(0, 10));
  await run(
    sql`update webhook_deliveries set next_try_at = now() - interval '1 hour' where webhook_id = ${opened.hook.id}`,
  );
  await run(sql`
    update webhook_deliveries set tries = 1, next_try_at = now() - interval '1 second'
    where id = any (${sql.param([...retries])}::uuid[])`);
  const kinds: boolean[] = [];
  for (let count = 0; count < 6; count++) {
    const taken = await claim();
    kinds.push(retries.has(taken!.id));
    await complete(taken, delivered);
  }
  expect(kinds).toEqual([true, false, true, false, true, false]);
  await run(sql`update webhook_deliveries set tries = 1 where webhook_id = ${opened.hook.id}`);
  for (let count = 0; count < 4; count++) {
    const taken = await claim();
    expect(taken).toMatchObject({ tries: 1 });
    await complete(taken, delivered);
  }
});

test("a hold or a pause that ends too far in the future does not delay a delivery", async () => {
  await using opened = await openWebhook(1);
  const before = await claim();
  expect(await claim()).toBeNull();
  await run(sql`update webhook_deliveries set held_until = now() + interval '1 day' where id = ${before!.id}`);
  await run(sql`update webhooks set rests_until = now() + interval '1 day' where id = ${opened.hook.id}`);
  const after = await claim();
  expect(after).toMatchObject({ id: before!.id });
  await complete(after, failed({ backoffMs: 5_000 }));
  expect((await opened.state())["restSeconds"]).toBeLessThan(60);
});

test("the backoff of a webhook is reset at most once per minute", async () => {
  await using opened = await openWebhook(1);
  const fail = async () => complete(await claim(), failed({ backoffMs: 60_000, nextInMs: 0 }));
  await fail();
  expect(await claim()).toBeNull();
  await opened.change({ url: "https://second.example/hook" });
  await fail();
  await opened.change({ url: "https://third.example/hook" });
  expect(await claim()).toBeNull();
  await opened.change({ status: "PAUSED", pausedBecause: "REQUESTED" });
  await opened.change({ status: "ACTIVE" });
  expect(await claim()).toBeNull();
  expect(await opened.state()).toMatchObject({ failures: 0, rests: true });
  expect((await opened.state())["restSeconds"]).toBeLessThanOrEqual(60);
  await run(sql`
    update webhooks set begun_at = begun_at - interval '61 seconds', tried_at = tried_at - interval '61 seconds',
      rests_until = rests_until - interval '61 seconds' where id = ${opened.hook.id}`);
  await fail();
  await opened.change({ url: "https://fourth.example/hook" });
  expect(await claim()).toBeNull();
});

test("looking for due deliveries reads fewer than 100 of 5,000 that are not due", async () => {
  await using opened = await openWebhook(0);
  await run(sql`analyze webhook_deliveries`);
  // A connection keeps the plans of its first executions. Here they are made while the table is nearly empty.
  for (let executions = 0; executions < 10; executions += 1) expect(await claim()).toBeNull();
  await run(sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, tries, next_try_at)
    select gen_random_uuid(), ${opened.hook.id}, gen_random_uuid(), 'webhook.test', '{}', n % 2, now() + interval '1 hour'
    from generate_series(1, 5000) as n`);
  // Postgres publishes the counts of a session late, so the counter may include earlier transactions. Only differences count.
  const readRowCounter = async (tx: Queries): Promise<number> => {
    const [row] = await tx.execute<{ rows: string }>(sql`
      select coalesce(seq_tup_read + idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`);
    return Number(row!.rows);
  };
  const countRowsOfPoll = async (): Promise<number> =>
    database.transaction(async (tx) => {
      const before = await readRowCounter(tx);
      expect(await claimDueDelivery(tx, everything)).toBeNull();
      return (await readRowCounter(tx)) - before;
    });
  expect(await countRowsOfPoll()).toBeLessThan(100);
  // Autovacuum can run before ANALYZE. Postgres then knows the number of rows, but nothing about their columns.
  await run(sql`vacuum webhook_deliveries`);
  expect(await countRowsOfPoll()).toBeLessThan(100);
  for (const target of [1, 2, 5, 100]) {
    await database.transaction(async (tx) => {
      await tx.execute(sql`select set_config('default_statistics_target', ${String(target)}, true)`);
      await tx.execute(sql`analyze webhook_deliveries`);
    });
    expect(await countRowsOfPoll()).toBeLessThan(100);
  }
});

test("a backoff reset takes effect immediately if nothing was sent since the last one", async () => {
  await using opened = await openWebhook(1);
  await opened.change({ url: "https://second.example/hook" });
  await opened.change({ url: "https://third.example/hook" });
  expect(await claim()).toMatchObject({ url: "https://third.example/hook" });
});
