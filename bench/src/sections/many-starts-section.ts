import { join } from "node:path";
import { waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import { insertReportRecords, type BenchPostgres } from "../data-set.ts";
import {
  loadClientCount,
  produceEmptyReports,
  removeBenchReports,
  warmUpReportCount,
  type ReportCost,
} from "../empty-reports.ts";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { measurePgbenchTps } from "../peers/pgbench.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { formatRatio, type BenchContext, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const measuredReports = 3_000;
const concurrentReports = 4;
/**
 * Number of starts per transaction that the API wrote with `loadClientCount` connections. The pgbench peer uses the same number:
 * peers/report-life.sql.
 */
const startsPerTransaction = 8;
const finishedReports = 1_000_000;
const goalPerMinute = 10_000;
const reportLifeScript = join(import.meta.dirname, "../peers/report-life.sql");

export const manyStartsSection: BenchSection = {
  name: "many-starts",
  title: "Ten thousand reports per minute",
  async run(context) {
    const { server } = context;
    const lines = await measure(context, await server.database(100, "many-starts"), "");
    const filledUrl = await server.database(100, "many-finished");
    await fillFinished(filledUrl, finishedReports);
    return [
      ...lines,
      ...(await measure(context, filledUrl, `, ${finishedReports.toLocaleString("en")} finished records`)),
      await measureRetention(context, filledUrl),
    ];
  },
};

async function measure({ server, rounds }: BenchContext, databaseUrl: string, suffix: string): Promise<ResultLine[]> {
  await using sql = openDisposableSql(databaseUrl);
  const costs = new Map<number, ReportCost[]>([1, 2, 4].map((workers) => [workers, []]));
  const withWorkers = (workers: number) => async () => {
    const { perSecond, cost } = await runService(server, sql, databaseUrl, workers);
    costs.get(workers)!.push(cost);
    return perSecond;
  };
  await removeBenchReports(sql);
  const pgbench = async (): Promise<number> => runPgbenchPeer(sql, databaseUrl);
  const ways = { pgbench, one: withWorkers(1), two: withWorkers(2), four: withWorkers(4) };
  const seen = await measureAlternately(ways, rounds);
  const line = (workers: number, rates: readonly number[]): ResultLine => {
    const perMinute = median(rates) * 60;
    const cost = (of: keyof ReportCost): string => median(costs.get(workers)!.map((each) => each[of])).toFixed(1);
    return {
      work: `reports without rows per minute, ${workers} ${workers === 1 ? "worker" : "workers"}${suffix}`,
      goal: `≥ ${goalPerMinute.toLocaleString("en")}`,
      seen: Math.round(perMinute).toLocaleString("en"),
      met: perMinute >= goalPerMinute,
      compared: `${measuredReports} empty csv reports per round after ${warmUpReportCount} others, ${concurrentReports} at the same time, ${loadClientCount} connections of one caller: ${median(rates).toFixed(0)}/s from request to stored file, ${formatRatio(medianRatio(rates, seen.pgbench))} pgbench with the same transactions (${median(seen.pgbench).toFixed(0)}/s), ${cost("startsPerSecond")} starts/s meanwhile. Processor time per report: workers ${cost("workers")}, renderers ${cost("renderers")}, Postgres ${cost("postgres")}, API ${cost("api")}, the load tool ${cost("load")} ms`,
    };
  };
  return [line(1, seen.one), line(2, seen.two), line(4, seen.four)];
}

async function measureRetention({ server, rounds }: BenchContext, databaseUrl: string): Promise<ResultLine> {
  await using sql = openDisposableSql(databaseUrl);
  const removed: number[] = [];
  const runTwo = (options?: RunOptions) => runService(server, sql, databaseUrl, 2, options);
  const seen = await measureAlternately(
    {
      "without retention": async () => (await runTwo()).perSecond,
      "with retention": async () => {
        await fillFinished(databaseUrl, finishedReports / 2);
        // This table has the time of the last retention. If it is empty, a worker runs retention immediately.
        await sql`truncate maintenance_turns`;
        const { perSecond, removedPerSecond } = await runTwo({ withRetention: true });
        console.error(`  ${Math.round(removedPerSecond)} records removed per second`);
        removed.push(removedPerSecond);
        return perSecond;
      },
    },
    rounds,
  );
  const ended = seen["with retention"];
  const perMinute = median(removed) * 60;
  return {
    work: `finished records that retention removes per minute during reports without rows, 2 workers, of ${finishedReports.toLocaleString("en")}`,
    goal: `≥ ${goalPerMinute.toLocaleString("en")}`,
    seen: Math.round(perMinute).toLocaleString("en"),
    met: perMinute >= goalPerMinute,
    compared: `records without files, with three events each, counted before and after ${measuredReports} empty csv reports, ${loadClientCount} connections of one caller: ${(median(ended) * 60).toFixed(0)} reports per minute meanwhile, ${formatRatio(medianRatio(ended, seen["without retention"]))} the rate without retention. Records are removed ${formatRatio(medianRatio(removed, ended))} as fast as reports end`,
  };
}

interface RunOptions {
  /** Whether retention has records to remove. If so, the measurement begins after retention has begun. */
  readonly withRetention?: boolean;
}

async function runService(
  server: BenchPostgres,
  sql: Sql,
  databaseUrl: string,
  workers: number,
  { withRetention = false }: RunOptions = {},
): Promise<{ readonly perSecond: number; readonly removedPerSecond: number; readonly cost: ReportCost }> {
  try {
    await using service = await startBenchService(databaseUrl, {
      workers,
      concurrency: concurrentReports / workers,
      // The inserted records have no files, and the reconciler would handle each of them as a lost file.
      environment: { RECORD_RETENTION_DAYS: withRetention ? "1" : "3650", RECONCILER: "off" },
    });
    const produce = async (count: number) => produceEmptyReports({ service, server, sql }, count);
    await produce(warmUpReportCount);
    if (withRetention)
      await waitFor(async () => (await sql`select from maintenance_turns where name = 'retention'`).length > 0, {
        what: "retention to begin",
        timeoutMs: 60_000,
      });
    const due = await countDue(sql);
    const { perSecond, cost } = await produce(measuredReports);
    const stillDue = await countDue(sql);
    if (withRetention && stillDue.count === 0)
      throw new Error("Retention removed all records before the reports had ended.");
    const removedPerSecond = (due.count - stillDue.count) / ((stillDue.at - due.at) / 1000);
    return { perSecond, removedPerSecond, cost };
  } finally {
    await removeBenchReports(sql);
  }
}

/** Runs the same transactions with pgbench, with as many connections and transactions as large. Returns reports per second. */
async function runPgbenchPeer(sql: Sql, databaseUrl: string): Promise<number> {
  const each = Math.ceil(measuredReports / 4 / startsPerTransaction) * startsPerTransaction;
  const load = ["-c", "4", "-j", "1", "-t", String(each)];
  const variables = ["-D", "turn=0", "-D", `together=${startsPerTransaction}`];
  const perSecond = await measurePgbenchTps(databaseUrl, reportLifeScript, [...variables, ...load]);
  await removeBenchReports(sql);
  return perSecond;
}

async function countDue(sql: Sql): Promise<{ readonly count: number; readonly at: number }> {
  const at = performance.now();
  const [row] = await sql`
    select count(*)::integer as due from reports
    where coalesce(deleted_at, finished_at) < now() - interval '1 day' and status = 'CANCELLED'`;
  return { count: row!["due"] as number, at };
}

async function fillFinished(databaseUrl: string, least: number): Promise<void> {
  await using sql = openDisposableSql(databaseUrl);
  await removeBenchReports(sql);
  const [row] = await sql`select count(*)::integer as found from reports`;
  if ((row!["found"] as number) >= least) return;
  await sql`truncate reports cascade`;
  await sql.begin(async (transaction) => {
    await insertReportRecords(transaction, finishedReports);
    await transaction`
      update reports set
        status = 'CANCELLED', finished_at = coalesce(finished_at, updated_at), worker_id = null, lease_expires_at = null, error_code = null,
        error_detail = null, error_retryable = null, file_id = null, file_name = null, file_extension = null, file_content_type = null,
        file_size_bytes = null, file_sha256 = null, file_columns = null, file_storage_key = null, file_stored_version = null
      where status <> 'CANCELLED'`;
    await transaction`
      insert into report_events (report_id, from_status, to_status, attempt)
      select id, step.before, step.after, 1
      from reports, (values (null, 'QUEUED'), ('QUEUED', 'RUNNING'), ('RUNNING', 'CANCELLED')) as step (before, after)`;
  });
  await sql`vacuum (full, analyze) reports`;
  await sql`vacuum (analyze) report_events`;
}
