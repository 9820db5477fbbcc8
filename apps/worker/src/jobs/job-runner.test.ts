import { reportLanes, type ReportLane } from "@reports/core/base";
import { runReportTaskName } from "@reports/core/report";
import { createQueuePool, defaultQueueSchema, laneSchemaName, migrateDatabase } from "@reports/db";
import { createLogger } from "@reports/runtime";
import { createTestDatabases, isFullTestRun, waitFor } from "@reports/testing";
import { Logger, runMigrations } from "graphile-worker";
import postgres from "postgres";
import { expect, onTestFinished, test, vi } from "vitest";
import { createJobRunner } from "./job-runner.ts";
import { createLaneSlotGate } from "./lane-slot-gate.ts";

// The rescuer changes records of all owners. So this database gets no records of other owners, which other test databases have.
const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});

interface RunnerUnderTest {
  readonly lanes?: readonly ReportLane[];
  readonly concurrency?: number;
  readonly pollGraceMs?: number;
  readonly emptyLanePauseMs?: number;
  readonly work?: (lane: ReportLane) => Promise<void>;
}

async function openRunner({
  lanes = ["quick"],
  concurrency = 1,
  pollGraceMs = 15_000,
  emptyLanePauseMs,
  work,
}: RunnerUnderTest = {}) {
  const clone = await cloneDatabase();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  const lines: string[] = [];
  const taken: string[] = [];
  const ended: unknown[] = [];
  const polled: ReportLane[] = [];
  const gate = createLaneSlotGate({ lanes, concurrency, mayAcquire: () => true });
  const pool = createQueuePool({ url: clone.url, max: concurrency + lanes.length + 1, onLost: () => undefined });
  const runner = createJobRunner({
    pool,
    lanes,
    schemaOf: (lane) => laneSchemaName(defaultQueueSchema, lane),
    concurrency,
    gate: {
      async enter(lane, signal) {
        polled.push(lane);
        await gate.enter(lane, signal);
      },
      leave: gate.leave,
    },
    ...(emptyLanePauseMs === undefined ? {} : { emptyLanePauseMs }),
    logger: createLogger({ name: "test", level: "debug", destination: { write: (line) => lines.push(line) } }),
    graceMs: 0,
    pollGraceMs,
    onUnexpectedEnd: (error) => ended.push(error),
  });
  onTestFinished(async () => {
    await runner.stop();
    // After an unexpected end, `stop` leaves the pool open, because a worker then exits. Here, graphile-worker would connect until the end of all tests.
    // Not awaited, because the listening client is released only when its database is dropped.
    if (!pool.ending) void pool.end();
    await sql.end();
    await clone[Symbol.asyncDispose]();
  });
  return {
    runner,
    pool,
    url: clone.url,
    sql,
    taken,
    ended,
    polled,
    start: async () =>
      runner.start((lane) => ({
        [runReportTaskName]: async (_, { job }) => {
          taken.push(`${lane} ${job.id}`);
          await gate.run(lane, async () => work?.(lane));
        },
      })),
    addJob: async () => sql`select report_queue_quick.add_job(${runReportTaskName}, '{}'::json)`,
    /** Adds `count` jobs in one statement, so that Postgres announces all of them at the same time. */
    addJobs: async (lane: ReportLane, count: number) =>
      sql`select ${sql(laneSchemaName(defaultQueueSchema, lane))}.add_job(${runReportTaskName}) from generate_series(1, ${count})`,
    left: async () => (await sql`select from report_queue.jobs`).length,
    untilPollFails: async () =>
      waitFor(() => lines.some((line) => line.includes("Failed to acquire job")), { what: "a poll that fails" }),
  };
}

function holdWork() {
  const running: ReportLane[] = [];
  const ends: (() => void)[] = [];
  const seen: string[] = [];
  return {
    running,
    seen,
    endAll: () => ends.splice(0).forEach((end) => end()),
    work: async (lane: ReportLane): Promise<void> => {
      running.push(lane);
      seen.push([...running].toSorted().join(" "));
      await new Promise<void>((resolve) => ends.push(resolve));
      running.splice(running.indexOf(lane), 1);
    },
  };
}

test("slots that become free at the same time fetch their jobs in one statement", async () => {
  const held = holdWork();
  const { addJobs, start, sql, taken } = await openRunner({ concurrency: 3, work: held.work });
  await start();
  await addJobs("quick", 7);
  await waitFor(() => held.running.length === 3, { what: "the first three jobs" });
  held.endAll();
  await waitFor(() => taken.length === 6 && held.running.length === 3, { what: "the next three jobs" });
  const second = taken.slice(3).map((job) => job.split(" ")[1]!);
  const rows = await sql`
    select count(*)::integer as jobs, count(distinct xmin::text)::integer as statements
    from report_queue_quick._private_jobs where locked_at is not null and id = any (${second}::bigint[])`;
  expect(rows).toEqual([{ jobs: 3, statements: 1 }]);
  expect(await sql`select from report_queue_quick._private_jobs where is_available`).toHaveLength(1);
  held.endAll();
  await waitFor(() => taken.length === 7 && held.running.length === 1, { what: "the last job" });
  held.endAll();
});

test("a worker with four slots runs three of eight long reports and keeps a slot free", async () => {
  const held = holdWork();
  const { addJobs, start, left } = await openRunner({ lanes: reportLanes, concurrency: 4, work: held.work });
  await start();
  for (let round = 0; round < (isFullTestRun ? 10 : 3); round++) {
    await addJobs("bulk", 8);
    await waitFor(() => held.running.length === 3, { what: "three long reports to run" });
    await addJobs("quick", 1);
    await waitFor(() => held.running.includes("quick"), { what: "the short report to run next to them" });
    while ((await left()) > 0) held.endAll();
  }
  const longOnes = held.seen.map((lanes) => lanes.split(" ").filter((lane) => lane === "bulk").length);
  expect(Math.max(...longOnes)).toBe(3);
});

test("each of two quarantined reports waits until no other job runs, and then other jobs wait for it", async () => {
  const held = holdWork();
  const { addJobs, start, left } = await openRunner({ lanes: reportLanes, concurrency: 4, work: held.work });
  await start();
  const rounds = isFullTestRun ? 5 : 3;
  for (let round = 0; round < rounds; round++) {
    await addJobs("quick", 1);
    await waitFor(() => held.running.length === 1, { what: "a job to run" });
    await addJobs("suspect", 2);
    await addJobs("quick", 2);
    await waitFor(() => held.running.length === 3, { what: "two more jobs to run" });
    held.endAll();
    await waitFor(() => held.running.length === 1, { what: "the quarantined report to run" });
    await Promise.all([addJobs("quick", 4), addJobs("bulk", 2)]);
    // Other jobs could begin during these statements, but must not.
    for (let statement = 0; statement < 20; statement++) await left();
    while ((await left()) > 0) held.endAll();
  }
  expect(held.seen.filter((lanes) => lanes.includes("suspect"))).toEqual(
    Array.from({ length: 2 * rounds }, () => "suspect"),
  );
  expect(held.seen.filter((lanes) => lanes === "quick quick quick").length).toBeGreaterThanOrEqual(rounds);
});

test("short reports cause no polls of empty lanes, and a long report is still found", async () => {
  const { addJobs, start, taken, polled, left } = await openRunner({
    lanes: reportLanes,
    emptyLanePauseMs: 10 * 60_000,
  });
  await start();
  await waitFor(() => new Set(polled).size === reportLanes.length, { what: "all lanes to be polled" });
  for (let job = 1; job <= 20; job++) {
    await addJobs("quick", 1);
    await waitFor(async () => taken.length === job && (await left()) === 0, { what: "the short report to run" });
  }
  expect(polled.filter((lane) => lane !== "quick").toSorted()).toEqual(["bulk", "suspect"]);
  const short = await openRunner({ lanes: reportLanes });
  await short.start();
  await waitFor(() => new Set(short.polled).size === reportLanes.length, { what: "all lanes to be polled" });
  await short.addJobs("bulk", 1);
  await waitFor(() => short.taken.length === 1, { what: "the long report to run" });
});

test("an old and long backlog in one lane does not delay other lanes", async () => {
  const { addJobs, start, left, taken, sql } = await openRunner({ lanes: reportLanes, concurrency: 1 });
  await addJobs("bulk", 200);
  await sql`update report_queue_bulk._private_jobs set run_at = now() - interval '1 h', priority = -1`;
  await addJobs("quick", 20);
  await start();
  await waitFor(async () => (await left()) === 0, { what: "all jobs to be done" });
  const lastQuick = taken.findLastIndex((job) => job.startsWith("quick"));
  // If the lanes take turns, the last short job is about the 40th. Empty polls can shift it by a few places.
  expect(lastQuick).toBeLessThan(60);
});

test("a stop of the job runner ends polls that wait for a slot and takes no more jobs", async () => {
  const held = holdWork();
  const { runner, addJobs, start, sql } = await openRunner({ lanes: reportLanes, concurrency: 2, work: held.work });
  await start();
  await addJobs("quick", 6);
  await waitFor(() => held.running.length === 2, { what: "both slots to be taken" });
  const stopped = runner.stop();
  held.endAll();
  await stopped;
  expect(held.seen).toHaveLength(2);
  expect(await sql`select locked_by from report_queue.jobs`).toEqual(
    Array.from({ length: 4 }, () => ({ locked_by: null })),
  );
});

test("jobs that end together are deleted through an index on their IDs", async () => {
  const held = holdWork();
  const { addJobs, pool, sql, start, left } = await openRunner({ concurrency: 4, work: held.work });
  await sql`vacuum analyze report_queue_quick._private_jobs`;
  await start();
  await addJobs("quick", 4);
  await waitFor(() => held.running.length === 4, { what: "four reports to run" });
  held.endAll();
  await waitFor(async () => (await left()) === 0, { what: "their jobs to be ended" });
  const idlePlans = async (): Promise<string[]> => {
    const plans: string[] = [];
    const clients = await Promise.all(Array.from({ length: pool.idleCount }, async () => pool.connect()));
    for (const client of clients) {
      const { rows } = await client.query<{ name: string }>(
        "select quote_ident(name) as name from pg_prepared_statements where name like 'complete_jobs/%'",
      );
      await client.query("set plan_cache_mode = force_generic_plan");
      for (const { name } of rows) {
        const explained = await client.query<{ "QUERY PLAN": string }>(`explain execute ${name} ('{1}')`);
        plans.push(explained.rows.map((row) => row["QUERY PLAN"]).join("\n"));
      }
      client.release();
    }
    return plans;
  };
  // The check is repeated, because a poll may be using the connection on which the statement was prepared.
  const plans = await waitFor(
    async () => {
      const found = await idlePlans();
      return found.length > 0 && found;
    },
    { what: "an idle connection that has ended jobs" },
  );
  for (const plan of plans)
    expect(plan).toMatch(/Nested Loop[^]*Index Scan using \w+ on _private_jobs[^\n]*\n\s+Index Cond: \(id = n\.n\)/);
});

test("the job runner does not touch jobs of another app in the same database", async () => {
  const opened = await openRunner({ lanes: reportLanes });
  await runMigrations({ connectionString: opened.url, logger: new Logger(() => () => undefined) });
  await opened.sql`select graphile_worker.add_job('run_report', '{"reportId": "no uuid"}')`;
  await opened.start();
  await opened.addJob();
  await waitFor(() => opened.taken.length === 1, { what: "our own job" });
  await opened.addJob();
  await waitFor(() => opened.taken.length === 2, { what: "our next job" });
  expect(await opened.sql`select locked_by, attempts::int from graphile_worker.jobs`).toEqual([
    { locked_by: null, attempts: 0 },
  ]);
});

test("a job runner whose polls of the queue keep failing calls onUnexpectedEnd", async () => {
  const { sql, taken, ended, start, addJob, untilPollFails } = await openRunner({ pollGraceMs: 1_000 });
  await sql`alter table report_queue_quick._private_tasks rename to hidden`;
  await start();
  await untilPollFails();
  await sql`alter table report_queue_quick.hidden rename to _private_tasks`;
  await addJob();
  await waitFor(() => taken.length + ended.length > 0, { what: "the job to be taken, or the end" });
  expect(taken).toHaveLength(ended.length === 0 ? 1 : 0);
});

test("a job runner whose polls of the queue fail for a short time takes jobs again", async () => {
  const { sql, taken, ended, start, addJob, untilPollFails } = await openRunner();
  await start();
  await addJob();
  await waitFor(() => taken.length === 1, { what: "the first job" });
  await sql`alter table report_queue_quick._private_jobs rename to hidden`;
  await untilPollFails();
  await sql`alter table report_queue_quick.hidden rename to _private_jobs`;
  await addJob();
  await waitFor(() => taken.length === 2, { what: "the second job" });
  expect(ended).toEqual([]);
});

test("an unanswered poll of Postgres ends the job runner; a wait for a slot does not", async () => {
  const held = holdWork();
  // Postgres must answer the other runner's polls within this time on a busy machine, too.
  const pollGraceMs = isFullTestRun ? 10_000 : 7_000;
  const waiting = await openRunner({ pollGraceMs, work: held.work });
  onTestFinished(() => held.endAll());
  await waiting.start();
  await waiting.addJobs("quick", 2);
  await waitFor(() => held.running.length === 1, { what: "the only slot to be taken" });
  const { sql, ended, start } = await openRunner({ lanes: reportLanes, pollGraceMs });
  await sql`begin`;
  await sql`lock table report_queue_suspect._private_jobs in access exclusive mode`;
  await start();
  await waitFor(() => ended.length > 0, { what: "the end of the runner" });
  await sql`rollback`;
  expect(ended).toEqual([expect.objectContaining({ message: expect.stringContaining("not answered") as string })]);
  expect(waiting.ended).toEqual([]);
  held.endAll();
  await waitFor(() => held.seen.length === 2, { what: "the job that waited to run" });
  held.endAll();
});

test("if the end of a job can't be written, it is written later, and other jobs run", async () => {
  const { runner, sql, taken, ended, start, addJob } = await openRunner();
  const shown = vi.spyOn(console, "error");
  // Test files share processes, so the spy on the console must not outlive this test.
  onTestFinished(() => shown.mockRestore());
  await start();
  // A sequence counts the refused writes, because a rollback does not reset it.
  await sql`create sequence tries`;
  await sql`
    create function refuse() returns trigger language plpgsql
    as 'begin perform nextval(''tries''); raise exception ''not now''; end'`;
  for (const round of [1, 2]) {
    await sql`
      create trigger refuse before delete on report_queue_quick._private_jobs for each row execute function refuse()`;
    await addJob();
    await waitFor(
      async () => {
        const [seen] = await sql<{ tries: number }[]>`select last_value::int as tries from tries`;
        return seen!.tries >= 2 * round;
      },
      { what: `job ${round} to be refused at two ends` },
    );
    await sql`drop trigger refuse on report_queue_quick._private_jobs`;
    await waitFor(
      async () => {
        const [jobs] = await sql<{ left: number }[]>`select count(*)::int as left from report_queue.jobs`;
        return jobs!.left === 0;
      },
      { what: `the end of job ${round}` },
    );
    expect(taken).toHaveLength(round);
  }
  expect(ended).toEqual([]);
  // `stop` waits, for a limited time, for a write that has failed twice and is tried again.
  await runner.stop();
  expect(shown.mock.calls).toEqual([]);
});

test("a connection that is lost during a stop does not end the process", async () => {
  const lost: Error[] = [];
  const clone = await cloneDatabase();
  await using _ = clone;
  const pool = createQueuePool({ url: clone.url, max: 1, onLost: (error) => lost.push(error) });
  const client = await pool.connect();
  const closing = pool.end();
  const sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`;
  await sql.end();
  await waitFor(() => lost.length > 0, { what: "the loss of the connection" });
  client.release();
  expect(await closing).toBeUndefined();
});
