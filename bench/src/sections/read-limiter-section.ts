import { repeatRequest } from "../http-load.ts";
import { measureAlternately, median, medianRatio } from "../measure.ts";
import { readProcessorMs } from "../programs.ts";
import { formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const load = { clients: 8, seconds: 4 };
const path = "/v1/report-types";

export const readLimiterSection: BenchSection = {
  name: "read-limiter",
  title: "The read limiter",
  async run({ server, rounds, domains }) {
    const databaseUrl = await server.database(domains);
    // Measures processor time, because other load hides the few microseconds of the limit in wall time. Starts a new process per round, because two
    // equal processes can differ by more than the limit costs.
    const perRequest = async (readLimit: string): Promise<number> => {
      await using service = await startBenchService(databaseUrl, {
        workers: 0,
        environment: { READ_LIMIT_PER_MINUTE: readLimit },
      });
      const { origin, headers, apiPid } = service;
      await repeatRequest(origin + path, headers, load);
      const before = readProcessorMs(apiPid);
      const { latencies } = await repeatRequest(origin + path, headers, load);
      return ((readProcessorMs(apiPid) - before) * 1000) / latencies.length;
    };
    const seen = await measureAlternately(
      { without: async () => perRequest("0"), with: async () => perRequest("1000000") },
      rounds,
    );
    const cost = medianRatio(seen.with, seen.without);
    return [
      {
        work: "a read with its limiter",
        goal: "≤ 1.05 × without",
        seen: formatRatio(cost),
        met: cost <= 1.05,
        compared: `\`GET ${path}\`, ${load.clients} clients, ${load.seconds} s per round: ${Math.round(median(seen.with))} µs of the API's processor time per request with READ_LIMIT_PER_MINUTE, ${Math.round(median(seen.without))} µs without`,
      },
    ];
  },
};
