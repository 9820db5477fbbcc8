import { randomUUID } from "node:crypto";
import { workerDeadAfterMs, evaluateLoss, unlimitedStarts, type NewReport } from "@reports/core/report";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms, isFullTestRun } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createPeriodicTaskLocks } from "../queue/periodic-task-locks.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { readLaneLoads, readServedTypeVersions, readRunningWorkers } from "../queue/queue.ts";
import { createWorkerRegistry } from "../queue/worker-registry.ts";
import { repairFutureTimes } from "./clock-repairs.ts";
import { createReportStore } from "./report-store.ts";
import { createLostAttemptRescuer } from "./rescuer.ts";
import { createRetentionStore } from "./retention-store.ts";
import { createLoginThrottle, removeStaleRateWindows } from "./limit-store.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const limits = { deadAfterMs: workerDeadAfterMs, maxBackoffMs: 0, joblessAfterMs: 20_000 };
const hour = 3_600_000;
const worker = {
  workerId: "w1",
  host: "h",
  pid: 1,
  version: "1",
  lanes: ["quick"],
  servedTypes: { PROXY: 1 },
  webhookKeys: [],
} as const;
const claimed = { workerId: "w1", leaseMs: workerDeadAfterMs, ...unrestrictedClaimTerms };

async function openClock() {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const database = createDatabase({ url: clone.url });
  const columns = await sql<{ table: string; column: string; isArray: boolean }[]>`
    select attrelid::regclass::text as "table", quote_ident(attname) as "column", atttypid = 'timestamptz[]'::regtype as "isArray"
    from pg_attribute join pg_class as class on class.oid = attrelid
    where relkind = 'r' and attnum > 0 and not attisdropped and atttypid in ('timestamptz'::regtype, 'timestamptz[]'::regtype)
      and (relnamespace = 'public'::regnamespace or relnamespace::regnamespace::text like 'report\\_queue\\_%' and relname = '_private_jobs')`;
  async function jump(ms: number): Promise<void> {
    await sql.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`;
      for (const { table, column, isArray } of columns) {
        const moved = isArray
          ? `array(select at - make_interval(secs => ${ms / 1000}) from unnest(${column}) as at)`
          : `${column} - make_interval(secs => ${ms / 1000})`;
        await transaction.unsafe(`update ${table} set ${column} = ${moved} where ${column} is not null`);
      }
    });
  }
  let monotonicMs = 0;
  const rescuer = createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema, now: () => monotonicMs });
  const store = createReportStore(database);
  return {
    sql,
    database,
    store,
    jump,
    registry: createWorkerRegistry(database),
    async queued(changes: Partial<NewReport> = {}): Promise<string> {
      return (await store.createQueued(makeNewReport(changes), unlimitedStarts)).report.id;
    },
    async rescue(jumpedMs = 0) {
      const [row] = await sql<{ ms: number }[]>`select extract(epoch from clock_timestamp())::float * 1000 as ms`;
      monotonicMs = row!.ms - jumpedMs;
      return rescuer.rescue(evaluateLoss, limits);
    },
    takeJob: async (poolId: string) => {
      const [job] = await sql<{ key: string }[]>`
        update report_queue_quick._private_jobs set locked_at = now(), locked_by = ${poolId}, attempts = attempts + 1
        where id = (
          select id from report_queue_quick._private_jobs where is_available and run_at <= now() order by priority, run_at limit 1
        ) returning key`;
      return job?.key.replace("report:", "") ?? null;
    },
    async [Symbol.asyncDispose]() {
      await sql.end();
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("a periodic lease is free if the clock was set back to before it was taken", async () => {
  await using opened = await openClock();
  const leases = createPeriodicTaskLocks(opened.database);
  expect(await leases.take("retention", 60_000)).not.toBeNull();
  expect(await leases.take("retention", 60_000)).toBeNull();
  await opened.jump(-hour);
  const taken = await leases.take("retention", 60_000);
  expect(taken).not.toBeNull();
  expect(await leases.take("retention", 60_000)).toBeNull();
  await taken!.release();
  expect(await leases.take("retention", 60_000)).not.toBeNull();
  await opened.jump(hour);
  expect(await leases.take("retention", 60_000)).not.toBeNull();
  await opened.sql`update maintenance_turns set taken_at = 'infinity'`;
  expect(await leases.take("retention", 60_000)).toBeNull();
});

test("after Postgres's clock is set back, queued reports run in their previous order", async () => {
  await using opened = await openClock();
  const [first, second] = [await opened.queued(), await opened.queued()];
  await opened.jump(-hour);
  expect(await opened.takeJob("pool")).toBeNull();
  await opened.rescue();
  expect(await opened.takeJob("pool")).toBe(first);
  expect(await opened.takeJob("pool")).toBe(second);
});

test("a job that is due in 90 s keeps this delay when Postgres's clock is set back", async () => {
  await using opened = await openClock();
  await opened.queued();
  await opened.sql`update report_queue_quick._private_jobs set run_at = run_at + interval '90 s'`;
  await opened.jump(-hour);
  await opened.rescue();
  const [job] = await opened.sql<{ delay: number }[]>`
    select extract(epoch from run_at - now())::float as delay from report_queue_quick._private_jobs`;
  expect(job!.delay).toBeGreaterThan(0);
  expect(job!.delay).toBeLessThanOrEqual(90);
});

test("a dead worker's report is rescued in time although Postgres's clock was set back", async () => {
  await using opened = await openClock();
  const id = await opened.queued();
  await opened.registry.heartbeat(worker, ["pool"]);
  await opened.takeJob("pool");
  await opened.store.claim(id, claimed);
  await opened.jump(-hour);
  expect(await opened.rescue()).toMatchObject({ requeued: [], unlockedPools: 0 });
  await opened.jump(workerDeadAfterMs + 2_000);
  expect(await opened.rescue()).toMatchObject({ requeued: [id], unlockedPools: 1 });
});

test.each([
  ["back", -hour],
  ["forward", hour],
])("a running worker keeps its report and job when Postgres's clock jumps %s", async (_, ms) => {
  await using opened = await openClock();
  const id = await opened.queued();
  await opened.registry.heartbeat(worker, ["pool"]);
  await opened.takeJob("pool");
  const claim = await opened.store.claim(id, claimed);
  await opened.rescue();
  await opened.jump(ms);
  expect(await opened.rescue(ms)).toMatchObject({ requeued: [], failed: [], unlockedPools: 0, unlockedJobs: 0 });
  expect(claim).toMatchObject({ kind: "claimed" });
  await opened.registry.heartbeat(worker, ["pool"]);
  await opened.store.heartbeat(id, 1, { leaseMs: workerDeadAfterMs });
  expect(await opened.rescue(ms)).toMatchObject({ requeued: [], failed: [], unlockedPools: 0, unlockedJobs: 0 });
  expect(await opened.store.find(id)).toMatchObject({ status: "RUNNING", attempt: 1 });
});

test("after a forward clock jump, a dead worker's report is rescued in the second pass", async () => {
  await using opened = await openClock();
  const id = await opened.queued();
  await opened.takeJob("pool");
  await opened.store.claim(id, claimed);
  await opened.rescue();
  await opened.jump(hour);
  expect(await opened.rescue(hour)).toMatchObject({ requeued: [] });
  expect(await opened.rescue(hour)).toMatchObject({ requeued: [id], unlockedPools: 1 });
});

test("the rescuer finds a report without a job after Postgres's clock was set back", async () => {
  await using opened = await openClock();
  const id = await opened.queued();
  await opened.sql`delete from report_queue_quick._private_jobs`;
  await opened.jump(-hour);
  expect(await opened.rescue()).toMatchObject({ jobless: [id] });
  expect(await opened.takeJob("pool")).toBe(id);
});

test("a worker with a future heartbeat does not count as running until its next one", async () => {
  await using opened = await openClock();
  const { database, registry } = opened;
  const countRunning = async () => ({
    lane: (await database.query((queries) => readLaneLoads(queries))).find(({ lane }) => lane === "quick")!.workers,
    types: (await database.query(readServedTypeVersions)).length,
    shown: (await database.query(readRunningWorkers)).length,
    counted: (await registry.state(workerDeadAfterMs)).running,
  });
  await registry.heartbeat(worker, []);
  expect(await countRunning()).toEqual({ lane: 1, types: 1, shown: 1, counted: 1 });
  await opened.jump(-hour);
  expect(await countRunning()).toEqual({ lane: 0, types: 0, shown: 0, counted: 0 });
  await registry.heartbeat(worker, []);
  expect(await countRunning()).toEqual({ lane: 1, types: 1, shown: 1, counted: 1 });
  await opened.jump(hour);
  expect(await countRunning()).toEqual({ lane: 0, types: 0, shown: 0, counted: 0 });
});

test("a dead worker's heartbeat is removed in time after Postgres's clock was set back", async () => {
  await using opened = await openClock();
  await opened.registry.heartbeat(worker, []);
  await opened.jump(-hour);
  await opened.rescue();
  await opened.jump(60_000);
  expect(await opened.registry.removeDead(59_000)).toBe(1);
});

test.each(isFullTestRun ? [10, 5_000] : [5_000])(
  "a full rate window of %i starts is empty after Postgres's clock was set back",
  async (perMinute) => {
    await using opened = await openClock();
    const start = async () =>
      opened.store.createQueued(makeNewReport({ requestedBy: "basic:alice" }), { perMinute, unfinished: 0 });
    await start();
    await opened.sql`update rate_windows set hits = array(select hits[1] from generate_series(1, ${perMinute}::int)), counts = case when counts is null then null else array_fill(1, array[${perMinute}::int]) end`;
    await expect(start()).rejects.toThrow("report starts per minute reached");
    await opened.jump(-hour);
    await expect(start()).resolves.toMatchObject({ reused: false });
  },
);

test("failed logins counted in the future block no login, and their window is removed", async () => {
  await using opened = await openClock();
  const throttle = createLoginThrottle(opened.database, { perAddress: 1, perAccount: 1 });
  const attempt = { address: "192.0.2.1", account: "alice" };
  await throttle.countFailure(attempt);
  expect(await throttle.findExhausted(attempt)).not.toBeNull();
  await opened.jump(-hour);
  expect(await throttle.findExhausted(attempt)).toBeNull();
  expect(await removeStaleRateWindows(opened.database)).toBeGreaterThan(0);
});

test("an idempotency key lasts until Postgres's clock is 24 h past its creation", async () => {
  await using opened = await openClock();
  const once = {
    endpoint: "POST /v1/reports",
    key: randomUUID(),
    principalId: "basic:alice",
    fingerprint: "f",
    answerOf: () => "{}",
  };
  const start = async () => opened.store.createQueued(makeNewReport(), unlimitedStarts, once);
  const first = await start();
  await opened.jump(-hour);
  expect((await start()).report.id).toBe(first.report.id);
  await opened.jump(26 * hour);
  expect((await start()).report.id).not.toBe(first.report.id);
});

test("retention removes a report only when Postgres's clock is past its age limit", async () => {
  await using opened = await openClock();
  const retention = createRetentionStore(opened.database);
  const id = await opened.queued();
  await opened.sql`update reports set status = 'CANCELLED', finished_at = now() where id = ${id}`;
  await opened.jump(-hour);
  expect(await retention.purge(hour / 2, 10)).toBe(0);
  await opened.jump(hour);
  expect(await retention.purge(hour / 2, 10)).toBe(0);
  await opened.jump(hour);
  expect(await retention.purge(hour / 2, 10)).toBe(1);
});

async function queueDeliveries(sql: postgres.Sql): Promise<void> {
  const webhook = randomUUID();
  await sql`
    insert into webhooks (id, owner, url, secret, events, of_whom, owner_authorities, status, tried_at)
    values (${webhook}, 'basic:alice', 'https://example.com/', 's', '{}', 'OWN', '{}', 'ACTIVE', now())`;
  await sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, status, tries, next_try_at)
    select gen_random_uuid(), ${webhook}, gen_random_uuid(), 'report.succeeded', '{}', 'PENDING', tries, now() + make_interval(secs => 60 * tries)
    from generate_series(0, 1) as tries`;
}

test.for([
  ["the clock was wrong for several passes", true],
  ["the clock was wrong for less than a pass", false],
] as const)("new deliveries are due, and retries wait, after Postgres's clock is set back: %s", async ([, seen]) => {
  await using opened = await openClock();
  await queueDeliveries(opened.sql);
  if (seen) await opened.rescue();
  await opened.jump(-hour);
  await opened.rescue();
  const rows = await opened.sql`
    select tries, next_try_at <= now() as due, (select tried_at <= now() from webhooks) as "isTurn" from webhook_deliveries order by tries`;
  expect([...rows]).toEqual([
    { tries: 0, due: true, isTurn: true },
    { tries: 1, due: false, isTurn: true },
  ]);
});

test("repairFutureTimes scans the table of deliveries only once for 51 webhooks", async () => {
  await using opened = await openClock();
  await queueDeliveries(opened.sql);
  await opened.sql`
    insert into webhooks (id, owner, url, secret, events, of_whom, owner_authorities, status)
    select gen_random_uuid(), 'basic:alice', 'https://example.com/', 's', '{}', 'OWN', '{}', 'ACTIVE' from generate_series(1, 50)`;
  await opened.sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, status, tries, next_try_at)
    select gen_random_uuid(), webhooks.id, gen_random_uuid(), 'report.succeeded', '{}', 'PENDING', 0, now()
    from webhooks, generate_series(1, ${isFullTestRun ? 400 : 100}::integer)`;
  await opened.sql`analyze webhooks`;
  await opened.sql`analyze webhook_deliveries`;
  const scans = await opened.database.transaction(async (tx) => {
    await repairFutureTimes(tx, [], workerDeadAfterMs);
    const [row] = await tx.execute<{ scans: number }>(sql`
      select (seq_scan + idx_scan)::int as scans from pg_stat_xact_user_tables where relname = 'webhook_deliveries'`);
    return row!.scans;
  });
  expect(scans).toBe(1);
});
