import { open, type FileHandle } from "node:fs/promises";
import { evaluateLoss, runReportTaskName } from "@reports/core/report";
import { createDatabase, createLostAttemptRescuer, defaultQueueSchema, readLaneLoads } from "@reports/db";
import { makeNewReport, waitFor } from "@reports/testing";
import type { Sql, TransactionSql } from "postgres";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { formatRatio, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const measuredReports = 150;
const passCount = 20;
const goalMs = 20;

/**
 * Median ms with a long queue: reading the state of all lanes, a pass of the rescuer, and the slowest statement of that pass.
 */
interface Periodic {
  readonly state: number;
  readonly pass: number;
  readonly slowest: number;
}

export const backlogSection: BenchSection = {
  name: "backlog",
  title: "A long queue",
  async run({ server, rounds, backlog: count }) {
    const databaseUrl = await server.database(100, "backlog");
    await using sql = openDisposableSql(databaseUrl);
    const number = count.toLocaleString("en");
    try {
      // An interrupted run leaves records, which name files of its store. A worker refuses a new store while such records exist.
      await emptyQueues(sql);
      // No worker serves the lane `bulk`, so its reports stay queued during the measurement.
      await using _ = await startBenchService(databaseUrl, { environment: { WORKER_LANES: "quick,suspect" } });
      const periodic: Periodic[] = [];
      const behind = (lane: "quick" | "bulk" | null) => async (): Promise<number> => {
        await emptyQueues(sql);
        if (lane !== null) await fillQueue(sql, lane, count);
        if (lane === "bulk") periodic.push(await timePeriodic(databaseUrl, server.postgres.logPath));
        return runMeasured(sql);
      };
      const ways = { none: behind(null), other: behind("bulk"), same: behind("quick") };
      const seen = await measureAlternately(ways, rounds, { warmUp: true });
      const completions = (lane: string, rates: readonly number[]): ResultLine => {
        const share = medianRatio(rates, seen.none);
        return {
          work: `reports per second with ${number} waiting in ${lane}`,
          goal: "≥ 0.8 × those with none",
          seen: formatRatio(share),
          met: share >= 0.8,
          compared: `${measuredReports} empty csv reports per round, one worker of one slot: ${median(rates).toFixed(1)}/s and ${median(seen.none).toFixed(1)}/s`,
        };
      };
      const statement = (work: string, ms: number, compared: string): ResultLine => ({
        work: `${work}, ${number} waiting`,
        goal: `≤ ${goalMs} ms`,
        seen: `${ms.toFixed(1)} ms`,
        met: ms <= goalMs,
        compared,
      });
      const p50 = (what: keyof Periodic): number => median(periodic.map((round) => round[what]));
      return [
        completions("another lane", seen.other),
        completions("the same lane", seen.same),
        statement(
          "state of all lanes",
          p50("state"),
          `one statement, each lane counted up to 2,000; p50 of ${passCount}`,
        ),
        statement(
          "the slowest statement of the rescuer",
          p50("slowest"),
          `parse, bind and execute as Postgres logs them, of the slowest statement of each pass; p50 of ${passCount}`,
        ),
        {
          work: `a whole pass of the rescuer, ${number} waiting`,
          goal: "–",
          seen: `${p50("pass").toFixed(1)} ms`,
          compared: `all of its statements in one transaction, with a slice of 500 reports; p50 of ${passCount}`,
        },
      ];
    } finally {
      await emptyQueues(sql);
    }
  },
};

async function emptyQueues(sql: Sql): Promise<void> {
  await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
  await sql`truncate reports cascade`;
}

/** Queues reports that are due after the measured ones. Each has a job and a different requester. */
async function fillQueue(sql: Sql, lane: "quick" | "bulk", count: number): Promise<void> {
  const schema = sql(`report_queue_${lane}`);
  // One transaction inserts reports and jobs, as a start does. Otherwise the rescuer could see a report before its job is committed, and queue a
  // second job.
  await sql.begin(async (tx) => {
    await insertReports(tx, lane, count, "waiting");
    // The worker registers the tasks of its own lanes only.
    await tx`insert into ${schema}._private_tasks (identifier) values (${runReportTaskName}) on conflict do nothing`;
    const jobs = await tx`
      insert into ${schema}._private_jobs (task_id, key, payload, priority)
      select task.id, 'report:' || report.id, json_build_object('reportId', report.id), 1
      from reports as report, ${schema}._private_tasks as task where task.identifier = ${runReportTaskName}`;
    if (jobs.count !== count) throw new Error(`${jobs.count} of ${count} jobs were inserted.`);
  });
  // In production, autovacuum runs before a queue gets this long. This fast insert leaves it no time, so the bench runs vacuum itself.
  await sql`vacuum (analyze) reports, ${schema}._private_jobs`;
}

async function runMeasured(sql: Sql): Promise<number> {
  await insertReports(sql, "quick", measuredReports, "measured");
  const startedAt = performance.now();
  await sql`select enqueue_reports(array(select id from reports where title = 'measured'), 0, 0)`;
  const isDone = async (): Promise<boolean> => {
    // The conditions fit an index, so that this poll does not slow down the measured work.
    const [row] = await sql`
      select count(*)::int as done from reports where report_type = 'PROXY' and status = 'SUCCEEDED' and deleted_at is null and title = 'measured'`;
    return row!["done"] === measuredReports;
  };
  await waitFor(isDone, { what: "the measured reports", timeoutMs: 600_000, intervalMs: 100 });
  return measuredReports / ((performance.now() - startedAt) / 1000);
}

async function insertReports(sql: Sql | TransactionSql, lane: string, count: number, title: string): Promise<void> {
  const options = { ...makeNewReport().options };
  await sql`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, lane, updated_at)
    select gen_random_uuid(), 'PROXY', 1, ${title}, 'QUEUED', '{"name": ["nobody"]}', ${sql.json(options)}, ${title} || number, 'waiting', 3, ${lane}, now() - interval '1 h'
    from generate_series(1, ${count}::int) as number`;
}

async function timePeriodic(databaseUrl: string, logPath: string): Promise<Periodic> {
  // Only this connection logs the ms of its statements, so that the log has no other statements.
  const logging = new URL(databaseUrl);
  logging.searchParams.set("log_min_duration_statement", "0");
  const database = createDatabase({ url: logging.href, max: 1 });
  const rescuer = createLostAttemptRescuer(database, { queueSchema: defaultQueueSchema });
  const limits = { deadAfterMs: 25_000, maxBackoffMs: 10_000, joblessAfterMs: 20_000 };
  await using log = await open(logPath);
  const [state, pass, slowest]: [number[], number[], number[]] = [[], [], []];
  for (let number = 0; number < passCount; number++) {
    state.push(await timeOf(() => database.query((queries) => readLaneLoads(queries))));
    const { size } = await log.stat();
    pass.push(await timeOf(() => rescuer.rescue(evaluateLoss, limits)));
    slowest.push(Math.max(...statementTimes(await readLogAfter(log, size))));
  }
  await database.close();
  return { state: median(state), pass: median(pass), slowest: median(slowest) };
}

async function readLogAfter(log: FileHandle, position: number): Promise<string> {
  const { size } = await log.stat();
  const buffer = Buffer.alloc(size - position);
  await log.read(buffer, 0, buffer.length, position);
  return buffer.toString();
}

/** Returns the ms of each statement in a part of Postgres's log. A parse, a bind and an execute that follow each other are one statement. */
function statementTimes(log: string): readonly number[] {
  const times: number[] = [];
  for (const [, ms, step] of log.matchAll(/duration: ([\d.]+) ms +(parse|bind|execute|statement)/g)) {
    if (step === "parse" || step === "statement" || times.length === 0) times.push(0);
    times[times.length - 1]! += Number(ms);
  }
  return times;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
