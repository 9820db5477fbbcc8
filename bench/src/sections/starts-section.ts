import { join } from "node:path";
import { repeatRequest } from "../http-load.ts";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { measurePgbenchTps } from "../peers/pgbench.ts";
import { readProcessTreeProcessorMs } from "../programs.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const clients = 16;
const secondsPerRound = 5;
const script = join(import.meta.dirname, "../peers/start-transaction.sql");
const body = { reportType: "PROXY", format: "csv" };

const callers = [1, 16, 2_000];
const goal = 1.5;

export const startsSection: BenchSection = {
  name: "starts",
  title: "Starts",
  async run({ server, rounds }) {
    // Thousands of queued reports remain in this database, so no other section uses it.
    const databaseUrl = await server.database(100);
    await using sql = openDisposableSql(databaseUrl);
    try {
      await using service = await startBenchService(databaseUrl, { workers: 0 });
      const costs = new Map<number, { readonly api: number; readonly postgres: number }[]>();
      const startFor = (count: number) => async () => {
        const headers = service.headersOfCallers(count);
        const postgresPid = server.postgres.pid;
        const used = () => ({ api: service.processorMs().api, postgres: readProcessTreeProcessorMs(postgresPid) });
        const before = used();
        const load = { clients, seconds: secondsPerRound };
        const { perSecond, latencies } = await repeatRequest(`${service.origin}/v1/reports`, headers, load, body);
        const after = used();
        const of = (part: keyof typeof before): number => (after[part] - before[part]) / latencies.length;
        costs.set(count, [...(costs.get(count) ?? []), { api: of("api"), postgres: of("postgres") }]);
        return perSecond;
      };
      const seen: Readonly<Record<string, number[]>> = await measureAlternately(
        {
          pgbench: async () =>
            measurePgbenchTps(databaseUrl, script, ["-c", `${clients}`, "-j", "2", "-T", `${secondsPerRound}`]),
          ...Object.fromEntries(callers.map((count) => [`${count}`, startFor(count)])),
        },
        rounds,
        { warmUp: true },
      );
      return callers.map((count) => {
        const rates = seen[`${count}`]!;
        const share = medianRatio(rates, seen["pgbench"]!);
        const cost = (of: "api" | "postgres"): string => median(costs.get(count)!.map((each) => each[of])).toFixed(2);
        return {
          work: `starts per second of ${count.toLocaleString("en")} ${count === 1 ? "caller" : "callers"}`,
          goal: `≥ ${goal} × pgbench`,
          seen: formatRatio(share),
          met: share >= goal,
          compared: `${clients} connections, ${secondsPerRound} s per round: \`POST /v1/reports\` ${Math.round(median(rates))}/s; \`pgbench -M prepared -f start-transaction.sql\`, the same statement, ${Math.round(median(seen["pgbench"]!))}/s. Processor time per start: API ${cost("api")}, Postgres ${cost("postgres")} ms`,
        };
      });
    } finally {
      await sql`truncate reports cascade`;
      await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
    }
  },
};
