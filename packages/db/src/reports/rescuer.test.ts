import { FencedOutError } from "@reports/core/base";
import { evaluateLoss, type NewReport, unlimitedStarts } from "@reports/core/report";
import { createTestDatabases, makeNewReport, unrestrictedClaimTerms } from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { readLaneLoads } from "../queue/queue.ts";
import { defaultQueueSchema } from "../queue/queue-schema.ts";
import { createReportStore } from "./report-store.ts";
import { createLostAttemptRescuer } from "./rescuer.ts";
import { createWorkerRegistry } from "../queue/worker-registry.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const limits = { deadAfterMs: 25_000, maxBackoffMs: 15_000, joblessAfterMs: 60_000 };
const lapsed = { workerId: "w1", leaseMs: -1, ...unrestrictedClaimTerms };
const worker = { workerId: "w1", host: "h", pid: 1, version: "1", lanes: ["quick"], servedTypes: {}, webhookKeys: [] };

async function openRescue() {
  const clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url });
  const store = createReportStore(database);
  const run = async (statement: SQL) => [...(await database.query((queries) => queries.execute(statement)))];
  return {
    store,
    run,
    registry: createWorkerRegistry(database),
    rescue: () => createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema }).rescue(evaluateLoss, limits),
    async queued(changes: Partial<NewReport> = {}): Promise<string> {
      const { report } = await store.createQueued(makeNewReport(changes), unlimitedStarts);
      return report.id;
    },
    laneStates: () => database.query((queries) => readLaneLoads(queries)),
    lockJobs: (poolId: string, age: string) =>
      run(
        sql`update report_queue_quick._private_jobs set locked_by = ${poolId}, locked_at = now() - ${age}::interval, attempts = attempts + 1 where key is not null`,
      ),
    jobs: () =>
      run(
        sql`select key, locked_by, attempts::int, max_attempts::int, extract(epoch from run_at - now())::float as delay from report_queue.jobs order by id`,
      ),
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test("the rescuer requeues a running report with an expired lease and fences it off", async () => {
  await using opened = await openRescue();
  const id = await opened.queued();
  await opened.lockJobs("dead pool", "30 s");
  await opened.store.claim(id, lapsed);
  expect(await opened.rescue()).toMatchObject({ requeued: [id], failed: [], unlockedPools: 1, removedJobs: 0 });
  expect(await opened.store.find(id)).toMatchObject({ status: "QUEUED", attempt: 1, failures: 0 });
  const jobs = await opened.jobs();
  expect(jobs).toMatchObject([{ key: `report:${id}`, locked_by: null, attempts: 0 }]);
  expect(jobs[0]!["delay"]).toBeGreaterThanOrEqual(-5);
  expect(jobs[0]!["delay"]).toBeLessThanOrEqual(15);
  expect((await opened.store.listEvents(id)).map(({ from, to }) => `${from} ${to}`)).toEqual([
    "null QUEUED",
    "QUEUED RUNNING",
    "RUNNING QUEUED",
  ]);
  expect(await opened.store.heartbeat(id, 1, { leaseMs: 1000 })).toBe(false);
  await expect(opened.store.requeue(id, 1, { delayMs: 0, spendsFailure: false, lane: "quick" })).rejects.toBeInstanceOf(
    FencedOutError,
  );
});

test("the rescuer ignores unexpired leases, deleted reports, and running workers' jobs", async () => {
  await using opened = await openRescue();
  const [held, deleted] = [await opened.queued(), await opened.queued()];
  await opened.registry.heartbeat(worker, ["living pool"]);
  await opened.lockJobs("living pool", "3 hours");
  await opened.store.claim(held, { workerId: "w1", leaseMs: 25_000, ...unrestrictedClaimTerms });
  await opened.store.claim(deleted, lapsed);
  await opened.store.remove(deleted, "basic:alice");
  expect(await opened.rescue()).toEqual({
    requeued: [],
    failed: [],
    jobless: [],
    unlockedPools: 0,
    unlockedJobs: 0,
    removedJobs: 0,
  });
  expect((await opened.store.find(held))!.status).toBe("RUNNING");
  expect((await opened.jobs()).map((job) => job["locked_by"])).toEqual(["living pool", "living pool"]);
});

test("the rescuer unlocks jobs of a pool whose last heartbeat is older than 25 s", async () => {
  await using opened = await openRescue();
  const id = await opened.queued();
  await opened.registry.heartbeat(worker, ["frozen pool"]);
  await opened.run(sql`update worker_heartbeats set beat_at = now() - interval '26 s'`);
  await opened.lockJobs("frozen pool", "1 hour");
  expect(await opened.rescue()).toMatchObject({ unlockedPools: 1, requeued: [], jobless: [] });
  expect(await opened.jobs()).toMatchObject([{ key: `report:${id}`, locked_by: null }]);
});

test("the rescuer unlocks a running worker's jobs whose reports it has not claimed", async () => {
  await using opened = await openRescue();
  const [unknown, running, cancelled, young] = [
    await opened.queued(),
    await opened.queued(),
    await opened.queued(),
    await opened.queued(),
  ];
  await opened.store.claim(running, { workerId: "w1", leaseMs: 60_000, ...unrestrictedClaimTerms });
  await opened.registry.heartbeat(worker, ["living pool"]);
  await opened.lockJobs("living pool", "26 s");
  await opened.store.cancel(cancelled, "basic:alice");
  await opened.run(sql`update reports set updated_at = now() - interval '26 s' where id <> ${young}`);
  expect(await opened.rescue()).toMatchObject({ unlockedJobs: 2, unlockedPools: 0, requeued: [], jobless: [] });
  const held = (await opened.jobs()).filter((job) => job["locked_by"] === null).map((job) => job["key"]);
  expect(new Set(held)).toEqual(new Set([`report:${unknown}`, `report:${cancelled}`]));
});

test("the rescuer keeps a young lock whose worker has not sent a heartbeat yet", async () => {
  await using opened = await openRescue();
  await opened.queued();
  await opened.lockJobs("young pool", "5 s");
  expect(await opened.rescue()).toMatchObject({ unlockedPools: 0 });
});

test("the loss of a report never counts if its worker had announced its stop", async () => {
  await using opened = await openRescue();
  const id = await opened.queued();
  await opened.registry.heartbeat(worker, []);
  await opened.registry.announceStop("w1");
  for (let deploy = 1; deploy <= 4; deploy++) {
    await opened.store.claim(id, lapsed);
    await opened.rescue();
  }
  expect(await opened.store.find(id)).toMatchObject({ status: "QUEUED", attempt: 4, failures: 0 });
  expect(await opened.run(sql`select lane, losses from reports`)).toEqual([{ lane: "quick", losses: 0 }]);
});

test("a report that kills workers enters quarantine after 2 losses, fails after 3 more", async () => {
  await using opened = await openRescue();
  const id = await opened.queued();
  const seen: unknown[] = [];
  for (let death = 1; death <= 5; death++) {
    expect((await opened.store.claim(id, lapsed)).kind).toBe("claimed");
    await opened.rescue();
    const { status, failures } = (await opened.store.find(id))!;
    const [row] = await opened.run(sql`select lane, losses from reports`);
    seen.push([status, failures, row!["lane"], row!["losses"]].join(" "));
  }
  expect(seen).toEqual([
    "QUEUED 0 quick 1",
    "QUEUED 0 suspect 2",
    "QUEUED 1 suspect 2",
    "QUEUED 2 suspect 2",
    "FAILED 3 suspect 2",
  ]);
  expect(await opened.store.find(id)).toMatchObject({ error: { code: "RENDERER_CRASHED", retryable: true } });
});

test("the rescuer adds a new job for a queued report whose job is missing or used up", async () => {
  await using opened = await openRescue();
  const [gone, spent, young] = [await opened.queued(), await opened.queued(), await opened.queued()];
  await opened.run(sql`delete from report_queue_quick._private_jobs where key <> ${`report:${spent}`}`);
  await opened.run(sql`update report_queue_quick._private_jobs set attempts = max_attempts`);
  await opened.run(sql`update reports set updated_at = now() - interval '61 s' where id <> ${young}`);
  const outcome = await opened.rescue();
  expect(new Set(outcome!.jobless)).toEqual(new Set([gone, spent]));
  const jobs = await opened.jobs();
  expect(new Set(jobs.map((job) => job["key"]))).toEqual(new Set([`report:${gone}`, `report:${spent}`]));
  expect(jobs.every((job) => job["attempts"] === 0)).toBe(true);
});

test("five concurrent rescuers requeue a lost report only once", async () => {
  await using opened = await openRescue();
  const id = await opened.queued();
  await opened.store.claim(id, lapsed);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => opened.rescue()));
  expect(outcomes.flatMap((outcome) => outcome?.requeued ?? [])).toEqual([id]);
  expect(await opened.jobs()).toHaveLength(1);
});

test("by job priority, a caller's first report comes before another caller's second", async () => {
  await using opened = await openRescue();
  for (let index = 0; index < 5; index++) await opened.queued({ requestedBy: "basic:many" });
  const first = await opened.queued({ requestedBy: "basic:one" });
  const rows = await opened.run(sql`select key, priority::int from report_queue.jobs order by priority, run_at, id`);
  expect(rows.map((row) => row["priority"])).toEqual([0, 0, 1, 2, 3, 4]);
  expect(rows[1]!["key"]).toBe(`report:${first}`);
});

test("by job priority, a report that lost its worker comes before all first attempts", async () => {
  await using opened = await openRescue();
  const first = await opened.queued({ requestedBy: "basic:many" });
  const lost = await opened.queued({ requestedBy: "basic:many" });
  await opened.store.claim(lost, lapsed);
  await opened.queued({ requestedBy: "basic:one" });
  expect((await opened.rescue())!.requeued).toEqual([lost]);
  const rows = await opened.run(sql`select key from report_queue.jobs order by priority, run_at, id`);
  expect(rows.slice(0, 2).map((row) => row["key"])).toEqual([`report:${lost}`, `report:${first}`]);
});

test("readLaneLoads counts waiting and running jobs by lane", async () => {
  await using opened = await openRescue();
  const bulk = await opened.queued({ lane: "bulk" });
  await opened.queued({ lane: "bulk" });
  await opened.queued();
  await opened.run(
    sql`update report_queue_bulk._private_jobs set locked_by = 'pool', locked_at = now() where key = ${`report:${bulk}`}`,
  );
  const states = await opened.laneStates();
  expect(states).toEqual([
    { lane: "quick", waiting: 1, running: 0, oldestWaitMs: expect.any(Number), workers: 0 },
    { lane: "bulk", waiting: 1, running: 1, oldestWaitMs: expect.any(Number), workers: 0 },
    { lane: "suspect", waiting: 0, running: 0, oldestWaitMs: null, workers: 0 },
  ]);
});
