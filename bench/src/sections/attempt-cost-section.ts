import { produceEmptyReports, removeBenchReports, warmUpReportCount, type ReportCost } from "../empty-reports.ts";
import { measureAlternately, median } from "../measure.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import type { BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const perRound = 700;
const goalMs = 5;

export const attemptCostSection: BenchSection = {
  name: "attempts",
  title: "Processor time of a worker per report",
  async run({ server, rounds }) {
    const databaseUrl = await server.database(100, "attempts");
    await using sql = openDisposableSql(databaseUrl);
    try {
      await removeBenchReports(sql);
      await using service = await startBenchService(databaseUrl, {
        environment: { WORKER_CONCURRENCY: "2", RECONCILER: "off" },
      });
      await produceEmptyReports({ service, server, sql }, warmUpReportCount);
      const costs: ReportCost[] = [];
      const seen = await measureAlternately(
        {
          "worker ms": async () => {
            const { cost } = await produceEmptyReports({ service, server, sql }, perRound);
            costs.push(cost);
            return cost.workers;
          },
        },
        rounds,
      );
      const workers = median(seen["worker ms"]);
      const each = (of: keyof ReportCost): string => median(costs.map((cost) => cost[of])).toFixed(1);
      return [
        {
          work: "processor time of a worker for a report without rows",
          goal: `≤ ${goalMs} ms`,
          seen: `${workers.toFixed(1)} ms`,
          met: workers <= goalMs,
          compared: `main process as deployed, two slots, ${perRound} empty csv reports per round after ${warmUpReportCount} others: from ${Math.min(...seen["worker ms"]).toFixed(1)} to ${Math.max(...seen["worker ms"]).toFixed(1)} ms; peak memory ${Math.round(service.workerMemoryMb().main)} MB. In addition per report: renderers ${each("renderers")}, Postgres ${each("postgres")}, API ${each("api")} ms`,
        },
      ];
    } finally {
      await removeBenchReports(sql);
    }
  },
};
