import { join } from "node:path";
import { repeatRequest } from "../http-load.ts";
import { interleave, median, ratio } from "../measure.ts";
import { runPgbench } from "../peers/pgbench.ts";
import { openSql } from "../open-sql.ts";
import { times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService } from "../service.ts";

const clients = 16;
const secondsPerRound = 5;
const script = join(import.meta.dirname, "../peers/start-transaction.sql");
const body = { reportType: "PROXY", format: "csv" };

/** Compares starts per second through the API with pgbench running the SQL statement of a start. No worker runs. */
export const starts: Section = {
  name: "starts",
  title: "Starts",
  async run({ server, rounds }: BenchContext): Promise<Line[]> {
    // No other section reads this database, in which thousands of queued reports remain until the end.
    const databaseUrl = await server.database(100);
    await using sql = openSql(databaseUrl);
    try {
      await using service = await startService(databaseUrl, { workers: 0 });
      const seen = await interleave(
        {
          pgbench: async () =>
            runPgbench(databaseUrl, script, ["-c", `${clients}`, "-j", "2", "-T", `${secondsPerRound}`]),
          service: async () => {
            const load = { clients, seconds: secondsPerRound };
            return (await repeatRequest(`${service.origin}/v1/reports`, service.headers, load, body)).perSecond;
          },
        },
        rounds,
        { warmUp: true },
      );
      const share = ratio(seen.service, seen.pgbench);
      return [
        {
          work: "starts per second",
          goal: "≥ 0.85 × pgbench",
          seen: times(share),
          met: share >= 0.85,
          compared: `${clients} clients, ${secondsPerRound} s per round: \`POST /v1/reports\` ${Math.round(median(seen.service))}/s; \`pgbench -M prepared -f start-transaction.sql\`, the same statement, ${Math.round(median(seen.pgbench))}/s`,
        },
      ];
    } finally {
      await sql`truncate reports cascade`;
      await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
    }
  },
};
