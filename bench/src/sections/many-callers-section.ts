import type { Sql } from "postgres";
import {
  loadClientCount,
  produceEmptyReports,
  removeBenchReports,
  warmUpReportCount,
  type ReportCost,
} from "../empty-reports.ts";
import { measureAlternately, median } from "../measure.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import type { ResultLine, BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const measuredReports = 3_000;
const concurrency = 4;
const callerCounts = [1, 16, 1_000];
const goals = { perMinute: 10_000, processorMs: 10 };
const processes = ["api", "workers", "renderers", "postgres"] as const;

interface Seen extends ReportCost {
  readonly commits: number;
  readonly walBytes: number;
}

export const manyCallersSection: BenchSection = {
  name: "crowd",
  title: "Reports without rows of many callers",
  async run({ server, rounds }) {
    const databaseUrl = await server.database(100, "crowd");
    await using sql = openDisposableSql(databaseUrl);
    const seen = new Map<number, Seen[]>(callerCounts.map((callers) => [callers, []]));
    const measure = (callers: number) => async () => {
      await removeBenchReports(sql);
      await using service = await startBenchService(databaseUrl, { concurrency });
      const parts = { service, server, sql, callers };
      await produceEmptyReports(parts, warmUpReportCount);
      const before = await readWrites(sql);
      const { perSecond, cost } = await produceEmptyReports(parts, measuredReports);
      const after = await readWrites(sql);
      seen.get(callers)!.push({
        ...cost,
        commits: (after.commits - before.commits) / measuredReports,
        walBytes: (after.walBytes - before.walBytes) / measuredReports,
      });
      return perSecond;
    };
    const rates: Readonly<Record<string, number[]>> = await measureAlternately(
      Object.fromEntries(callerCounts.map((callers) => [`${callers}`, measure(callers)])),
      rounds,
    );
    await removeBenchReports(sql);
    return callerCounts.flatMap((callers) => describe(callers, median(rates[`${callers}`]!) * 60, seen.get(callers)!));
  },
};

function describe(callers: number, perMinute: number, rounds: readonly Seen[]): ResultLine[] {
  const of = (part: keyof Seen): number => median(rounds.map((round) => round[part]));
  const processorMs = median(rounds.map((round) => processes.reduce((ms, part) => ms + round[part], 0)));
  const who = `${callers.toLocaleString("en")} ${callers === 1 ? "caller" : "callers"}`;
  const how = `${measuredReports} empty csv reports per round after ${warmUpReportCount} others, ${concurrency} at the same time, ${loadClientCount} connections`;
  return [
    {
      work: `reports without rows per minute of ${who}`,
      goal: `≥ ${goals.perMinute.toLocaleString("en")}`,
      seen: Math.round(perMinute).toLocaleString("en"),
      met: perMinute >= goals.perMinute,
      compared: `${how}, ${of("startsPerSecond").toFixed(0)} starts/s meanwhile`,
    },
    {
      work: `processor time of a report without rows of ${who}, all processes`,
      goal: `≤ ${goals.processorMs} ms`,
      seen: `${processorMs.toFixed(1)} ms`,
      met: processorMs <= goals.processorMs,
      compared: `API ${of("api").toFixed(1)}, worker ${of("workers").toFixed(1)}, renderers ${of("renderers").toFixed(1)}, Postgres ${of("postgres").toFixed(1)}, the load tool ${of("load").toFixed(1)} ms. ${of("commits").toFixed(1)} transactions and ${(of("walBytes") / 1000).toFixed(1)} kB of WAL per report`,
    },
  ];
}

async function readWrites(sql: Sql): Promise<{ readonly commits: number; readonly walBytes: number }> {
  // Postgres adds the transactions of this session to its statistics with a delay of up to a second. This call adds them immediately.
  await sql`select pg_stat_force_next_flush()`;
  const [row] = await sql`
    select xact_commit::float8 as commits, (pg_current_wal_lsn() - '0/0')::float8 as wal
    from pg_stat_database where datname = current_database()`;
  return { commits: row!["commits"] as number, walBytes: row!["wal"] as number };
}
