import { workerDeadAfterMs, evaluateLoss, unlimitedStarts } from "@reports/core/report";
import type { ReportLane } from "@reports/core/base";
import { createTestDatabases, isFullTestRun, makeNewReport } from "@reports/testing";
import { sql, type SQL } from "drizzle-orm";
import { Logger, runMigrations } from "graphile-worker";
import { afterAll, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { readMigrationState } from "../migrations/database-version.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { waitForDatabase } from "../migrations/wait-for-database.ts";
import { createQueuePool } from "./queue-pool.ts";
import { defaultQueueSchema } from "./queue-schema.ts";
import { readLaneLoads, readServedTypeVersions } from "./queue.ts";
import { createReportStore } from "../reports/report-store.ts";
import { laneJobTables } from "./rescue-jobs.ts";
import { createLostAttemptRescuer } from "../reports/rescuer.ts";
import { createWorkerRegistry } from "./worker-registry.ts";

const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const empty = createTestDatabases({ migrate: async () => {}, template: "empty" });
const limits = { deadAfterMs: workerDeadAfterMs, maxBackoffMs: 0, joblessAfterMs: 10_000 };
const nothingDone = { requeued: [], failed: [], jobless: [], unlockedPools: 0, unlockedJobs: 0, removedJobs: 0 };
const quiet = new Logger(() => () => undefined);

async function openQueue(options: { readonly max?: number } = {}) {
  const clone = await cloneDatabase();
  // `fill` writes thousands of reports in one statement.
  const database = createDatabase({ url: clone.url, deadlineMs: 120_000, ...options });
  const run = async (statement: SQL) => [...(await database.query((queries) => queries.execute(statement)))];
  return {
    url: clone.url,
    database,
    store: createReportStore(database),
    run,
    jobs: () => run(sql`select lane, key from report_queue.jobs order by lane`),
    loadOf: async (lane: ReportLane) =>
      (await database.query((queries) => readLaneLoads(queries))).find((load) => load.lane === lane)!,
    async fill(count: number, lane: ReportLane): Promise<void> {
      await run(sql`
        insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, lane, created_at, updated_at)
        select gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:' || number, 'waiting', 3, ${lane},
          now() - interval '2 h' + number * interval '1 ms', now() - interval '1 h'
        from generate_series(1, ${count}::int) as number`);
      await run(sql`select enqueue_reports(array(select id from reports where lane = ${lane}), 0, 0)`);
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await clone[Symbol.asyncDispose]();
    },
  };
}

/** Opens a queue with many waiting reports, and a connection that prepared a worker's query for a job while the queue was empty. */
async function openFullQueue() {
  const opened = await openQueue({ max: 1 });
  const pool = createQueuePool({ url: opened.url, max: 1, onLost: () => undefined });
  const client = await pool.connect();
  const fetchJob = () =>
    client.query({
      name: "look",
      text: `
        select id from report_queue_bulk._private_jobs as jobs where jobs.is_available = true and run_at <= now() and task_id = any($1::int[])
        order by priority asc, run_at asc limit 1 for update skip locked`,
      values: [[1]],
    });
  // After five runs, Postgres may keep one generic plan. Ten runs make it keep the plan for an empty table.
  for (let times = 0; times < 10; times++) expect((await fetchJob()).rowCount).toBe(0);
  await opened.fill(isFullTestRun ? 15_000 : 2_000, "bulk");
  return {
    ...opened,
    client,
    fetchJob,
    async [Symbol.asyncDispose]() {
      client.release();
      await pool.end();
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** The tests of a full queue share it, because they only read it or add a report. */
let full: ReturnType<typeof openFullQueue> | undefined;
const shareFullQueue = async () => (full ??= openFullQueue());
afterAll(async () => (await full)?.[Symbol.asyncDispose]());

const rescuerOf = (database: Database) => createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema });

test("the rescuer changes no job of another application's graphile-worker", async () => {
  await using opened = await openQueue();
  await runMigrations({ connectionString: opened.url, logger: quiet });
  await opened.run(sql`
    select graphile_worker.add_job(task, payload, max_attempts => 1)
    from (values ('run_report', '{"reportId": "no uuid"}'::json), ('send_mail', '[]'), ('run_report', '{}')) as foreign_jobs (task, payload)`);
  await opened.run(
    sql`update graphile_worker._private_jobs set locked_by = 'foreign pool', locked_at = now() - interval '3 h', attempts = 1 where id < 3`,
  );
  await opened.run(sql`update graphile_worker._private_jobs set attempts = max_attempts where id = 3`);
  const foreign = () => opened.run(sql`select * from graphile_worker._private_jobs order by id`);
  const before = await foreign();
  expect(await rescuerOf(opened.database).rescue(evaluateLoss, limits)).toEqual(nothingDone);
  expect(await foreign()).toEqual(before);
  expect(await opened.loadOf("quick")).toMatchObject({ waiting: 0, running: 0 });
});

test("the rescuer still requeues a report if another job's payload has no report ID", async () => {
  await using opened = await openQueue();
  const { report } = await opened.store.createQueued(makeNewReport(), unlimitedStarts);
  await opened.run(sql`select report_queue_quick.add_job('run_report', '{"reportId": "no uuid"}')`);
  await opened.run(
    sql`update report_queue_quick._private_jobs set locked_by = 'dead', locked_at = now() - interval '1 h'`,
  );
  await opened.run(sql`update reports set updated_at = now() - interval '1 h'`);
  expect(await rescuerOf(opened.database).rescue(evaluateLoss, limits)).toMatchObject({
    unlockedPools: 1,
    jobless: [],
  });
  expect(await opened.jobs()).toContainEqual({ lane: "quick", key: `report:${report.id}` });
  expect(await opened.loadOf("quick")).toMatchObject({ waiting: 1, running: 0, oldestWaitMs: expect.any(Number) });
});

test("migrate creates the queue in QUEUE_SCHEMA; a process with another does not start", async () => {
  await using clone = await empty.cloneDatabase();
  const at = { databaseUrl: clone.url, queueSchema: "acme_reports" };
  await migrateDatabase(at);
  await migrateDatabase(at);
  expect(await readMigrationState(at)).toMatchObject({ current: true, queueSchema: "acme_reports" });
  expect(await readMigrationState({ databaseUrl: clone.url })).toMatchObject({ current: false });
  await expect(
    waitForDatabase({
      databaseUrl: clone.url,
      timeoutMs: 0,
      signal: new AbortController().signal,
      onWait: () => undefined,
    }),
  ).rejects.toThrow(/queue is in acme_reports, but QUEUE_SCHEMA of this process is report_queue/);
  const database = createDatabase({ url: clone.url });
  const { report } = await createReportStore(database).createQueued(makeNewReport(), unlimitedStarts);
  const rows = await database.query((queries) =>
    queries.execute(sql`
      select key, (select count(*)::int from pg_namespace where nspname in ('report_queue', 'graphile_worker')) as others
      from acme_reports.jobs`),
  );
  expect([...rows]).toEqual([{ key: `report:${report.id}`, others: 0 }]);
  await database.close();
});

test.each(["Report", "1st", "a-b", 'a"; drop', "pg_mine", "a".repeat(41), ""])(
  "migrateDatabase refuses the queue schema %j without connecting to Postgres",
  async (queueSchema) => {
    const nowhere = { databaseUrl: "postgres://nobody@127.0.0.1:1/none", queueSchema };
    await expect(migrateDatabase(nowhere)).rejects.toThrow("QUEUE_SCHEMA must be");
  },
);

test.each(["cancel", "remove"] as const)(
  "%s of a report removes the report's waiting job and no other",
  async (end) => {
    await using opened = await openQueue();
    const [gone, stays] = [makeNewReport({ lane: "bulk" }), makeNewReport({ lane: "bulk" })];
    for (const report of [gone, stays]) await opened.store.createQueued(report, unlimitedStarts);
    await opened.store[end](gone.id, "basic:alice");
    expect(await opened.jobs()).toEqual([{ lane: "bulk", key: `report:${stays.id}` }]);
  },
);

test.each(["cancel", "remove"] as const)("if %s is rolled back, the report and its job are unchanged", async (end) => {
  await using opened = await openQueue();
  const { report } = await opened.store.createQueued(makeNewReport(), unlimitedStarts);
  await opened.run(
    sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''not now''; end'`,
  );
  await opened.run(
    sql`create trigger refuse before delete on report_queue_quick._private_jobs for each row execute function refuse()`,
  );
  await expect(opened.store[end](report.id, "basic:alice")).rejects.toThrow();
  expect(await opened.store.find(report.id)).toMatchObject({ status: "QUEUED", deletedAt: null });
  expect(await opened.jobs()).toHaveLength(1);
});

test("remove_report_jobs keeps the job of a report that is still to run", async () => {
  await using opened = await openQueue();
  const { report } = await opened.store.createQueued(makeNewReport(), unlimitedStarts);
  await opened.run(sql`select remove_report_jobs(array[${report.id}]::uuid[])`);
  expect(await opened.jobs()).toHaveLength(1);
});

test("a report that changes its lane has a job only in the new lane", async () => {
  await using opened = await openQueue();
  const { report } = await opened.store.createQueued(makeNewReport(), unlimitedStarts);
  await opened.run(sql`update reports set lane = 'suspect', created_at = created_at - interval '1 s'`);
  await opened.run(sql`select enqueue_reports(array[${report.id}]::uuid[], 0, 0)`);
  expect(await opened.jobs()).toEqual([{ lane: "suspect", key: `report:${report.id}` }]);
});

test("the load of a lane counts a waiting job only while its report is queued", async () => {
  await using opened = await openQueue();
  const [waits, ended] = [makeNewReport({ lane: "bulk" }), makeNewReport({ lane: "bulk" })];
  await opened.store.createQueued(ended, unlimitedStarts);
  await opened.store.createQueued(waits, unlimitedStarts);
  await opened.run(
    sql`update report_queue_bulk._private_jobs set run_at = now() - interval '1 h' where key = ${`report:${ended.id}`}`,
  );
  await opened.run(sql`update reports set status = 'CANCELLED' where id = ${ended.id}`);
  const load = await opened.loadOf("bulk");
  expect(load).toMatchObject({ waiting: 1 });
  expect(load.oldestWaitMs).toBeLessThan(1_800_000);
  await opened.store.cancel(waits.id, "basic:alice");
  expect(await opened.loadOf("bulk")).toMatchObject({ waiting: 0, oldestWaitMs: null });
});

test("readLaneLoads and readServedTypes ignore stopping workers and dead ones", async () => {
  await using opened = await openQueue();
  const registry = createWorkerRegistry(opened.database);
  const worker = { host: "h", pid: 1, version: "1", servedTypes: {}, webhookKeys: [] };
  await registry.heartbeat({ ...worker, workerId: "a", lanes: ["quick"], servedTypes: { OLD: 1 } }, []);
  await registry.heartbeat({ ...worker, workerId: "b", lanes: ["quick", "bulk"], servedTypes: { PROXY: 2 } }, []);
  await registry.heartbeat({ ...worker, workerId: "c", lanes: ["bulk"], servedTypes: { OTHER: 1 } }, []);
  await registry.announceStop("c");
  await opened.run(sql`update worker_heartbeats set beat_at = now() - interval '26 s' where worker_id = 'a'`);
  const loads = await opened.database.query((queries) => readLaneLoads(queries));
  expect(loads.map(({ lane, workers }) => `${lane} ${workers}`)).toEqual(["quick 1", "bulk 1", "suspect 0"]);
  expect(await opened.database.query(readServedTypeVersions)).toEqual([{ PROXY: 2 }]);
  await opened.run(sql`update worker_heartbeats set served_types = null where worker_id = 'b'`);
  expect(await opened.database.query(readServedTypeVersions)).toEqual([null]);
});

test("the rescuer finds reports without a job anywhere in the queue, in slices", async () => {
  await using opened = await openQueue();
  await opened.fill(2_500, "bulk");
  await opened.run(sql`
    delete from report_queue_bulk._private_jobs where key in (
      select 'report:' || id from (select id, row_number() over (order by created_at, id) as number from reports) as r where number in (1, 1500, 2500))`);
  const rescuer = rescuerOf(opened.database);
  const found: number[] = [];
  for (let pass = 0; pass < 6; pass++) found.push((await rescuer.rescue(evaluateLoss, limits))!.jobless.length);
  expect(found).toEqual([1, 0, 1, 0, 1, 0]);
  expect(await opened.run(sql`select count(*)::int as jobs from report_queue.jobs`)).toEqual([{ jobs: 2_500 }]);
});

// Must be the first test of the full queue: after an ANALYZE by autovacuum, Postgres would plan the prepared query again.
test("a query prepared on an empty queue reads less than 10 rows when many jobs wait", async () => {
  const { client, fetchJob } = await shareFullQueue();
  const rowsRead = async (): Promise<number> => {
    const { rows } = await client.query<{ read: string }>(
      "select sum(seq_tup_read + idx_tup_fetch) as read from pg_stat_xact_all_tables where schemaname = 'report_queue_bulk' and relname = '_private_jobs'",
    );
    return Number(rows[0]!.read);
  };
  await client.query("begin");
  const before = await rowsRead();
  expect((await fetchJob()).rowCount).toBe(1);
  const read = (await rowsRead()) - before;
  await client.query("rollback");
  expect(read).toBeLessThan(10);
});

test("the rescuer and readLaneLoads read at most 3,000 rows while many reports wait", async () => {
  const opened = await shareFullQueue();
  const rowsRead = async (tx: Queries): Promise<number> => {
    const [row] = await tx.execute(
      sql`select sum(seq_tup_read + idx_tup_fetch)::int as read from pg_stat_xact_all_tables where relname in ('reports', '_private_jobs')`,
    );
    return row!["read"] as number;
  };
  const counts: number[] = [];
  const counting: Database = {
    ...opened.database,
    transaction: (work) =>
      opened.database.transaction(async (tx) => {
        const before = await rowsRead(tx);
        const outcome = await work(tx);
        counts.push((await rowsRead(tx)) - before);
        return outcome;
      }),
  };
  expect(await rescuerOf(counting).rescue(evaluateLoss, limits)).toEqual(nothingDone);
  await counting.transaction((tx) => readLaneLoads(tx, 1_000));
  expect(counts).toHaveLength(2);
  expect(counts[0]).toBeLessThan(2_000);
  expect(counts[1]).toBeLessThan(3_000);
});

test.each<ReportLane>(["quick", "suspect"])(
  "a worker's query for a job in the %s lane reads no job of another lane",
  async (lane) => {
    const opened = await shareFullQueue();
    await opened.store.createQueued(makeNewReport({ lane }), unlimitedStarts);
    const { table } = laneJobTables(defaultQueueSchema).find((jobs) => jobs.lane === lane)!;
    const plan = await opened.run(sql`
    explain (analyze, format json) select id from ${table} as jobs
    where jobs.is_available and run_at <= now() and task_id = any ('{1}'::int[])
    order by priority, run_at limit 1 for update skip locked`);
    expect(JSON.stringify(plan)).not.toMatch(/"Rows Removed by Filter":\s*[1-9]/);
    expect(JSON.stringify(plan)).toContain('"Actual Rows":1');
  },
);
