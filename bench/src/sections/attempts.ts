import { produceEmptyReports, removeOwnReports, warmUp, type Cost } from "../empty-reports.ts";
import { interleave, median } from "../measure.ts";
import { openSql } from "../open-sql.ts";
import type { BenchContext, Line, Section } from "../section.ts";
import { startService } from "../service.ts";

const perRound = 700;
const goalMs = 5;

/** Processor time of a warm worker for a report without rows. */
export const attempts: Section = {
  name: "attempts",
  title: "A worker's own time for a report",
  async run({ server, rounds }: BenchContext): Promise<Line[]> {
    const databaseUrl = await server.database(100, "attempts");
    await using sql = openSql(databaseUrl);
    try {
      await removeOwnReports(sql);
      await using service = await startService(databaseUrl, {
        environment: { WORKER_CONCURRENCY: "2", RECONCILER: "off" },
      });
      await produceEmptyReports({ service, server, sql }, warmUp);
      const costs: Cost[] = [];
      const seen = await interleave(
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
      const each = (of: keyof Cost): string => median(costs.map((cost) => cost[of])).toFixed(1);
      return [
        {
          work: "a worker's processor time for a report without rows",
          goal: `≤ ${goalMs} ms`,
          seen: `${workers.toFixed(1)} ms`,
          met: workers <= goalMs,
          compared: `its main process, as deployed, two slots, ${perRound} empty csv reports a round after ${warmUp} others; from ${Math.min(...seen["worker ms"]).toFixed(1)} to ${Math.max(...seen["worker ms"]).toFixed(1)} ms, and at most ${Math.round(service.workerMemoryMb().main)} MB. In addition, renderers ${each("renderers")}, Postgres ${each("postgres")}, API ${each("api")} ms`,
        },
      ];
    } finally {
      await removeOwnReports(sql);
    }
  },
};
