import { setTimeout as delay } from "node:timers/promises";
import { raiseProcessPriority } from "@reports/testing";
import { giveEqualShares } from "../equal-shares.ts";
import { measureAlternately, median, medianRatio, quantile } from "../measure.ts";
import { formatRatio, type BenchSection } from "../bench-section.ts";
import { startBenchService, type BenchService } from "../bench-service.ts";

const perSecond = 50;
/** Number of principals that send requests. The API reads one list at a time per principal, so one principal alone would queue. */
const callers = 16;
const idleMs = 10_000;
const reads = [
  "/v1/proxies?limit=50",
  "/v1/domains?limit=50&severity=EXPIRED",
  "/v1/reports?limit=50",
  "/v1/report-types",
];

export const apiLatencySection: BenchSection = {
  name: "latency",
  title: "The API during a large report",
  async run({ server, rounds, domains }) {
    await using service = await startBenchService(await server.database(domains), {
      // The next request is sent even if the previous one has no response yet, so one caller may read several lists at the same time.
      environment: { LIST_LIMIT_PER_PRINCIPAL: "0" },
    });
    using groups = giveEqualShares({
      api: [service.apiPid],
      worker: service.workers.map(({ pid }) => pid),
      postgres: [server.postgres.pid],
    });
    using _ = raiseProcessPriority(console.error);
    // Opens connections and lets V8 compile, so that neither slows down the measurement.
    await load(service, delay(3_000));
    const rowCounts = new Map<string, number>();
    const duringReport =
      (format: string, searchParam = {}) =>
      async (): Promise<number> =>
        measureP99(service, async () => {
          const { report } = await service.run({ reportType: "PROXY_DOMAIN", format, searchParam });
          rowCounts.set(format, report.rowCount!);
        });
    const { idle, ...busy } = await measureAlternately(
      {
        idle: async () => measureP99(service, async () => delay(idleMs)),
        csv: duringReport("csv"),
        ndjson: duringReport("ndjson"),
        json: duringReport("json"),
        xlsx: duringReport("xlsx"),
        // A pdf has at most 100,000 rows. These are 8 % of the domains.
        pdf: duringReport("pdf", { status: ["PENDING", "SUSPENDED"] }),
      },
      rounds,
    );
    return Object.entries(busy).map(([format, seen]) => {
      const grown = medianRatio(seen, idle);
      return {
        work: `API p99 while the worker renders ${rowCounts.get(format)!.toLocaleString("en")} rows as ${format}`,
        goal: "≤ 2 × idle",
        seen: formatRatio(grown),
        met: grown <= 2,
        compared: `${perSecond} requests/s of ${callers} callers in open loop (${reads.map((path) => `\`${path}\``).join(", ")}): ${median(seen).toFixed(1)} ms, idle ${median(idle).toFixed(1)} ms. ${groups === undefined ? "Postgres, worker, API and the load tool share the cores" : "Postgres, worker and API have equal shares of the cores"}, and the load tool has priority`,
      };
    });
  },
};

async function measureP99(service: BenchService, work: () => Promise<unknown>): Promise<number> {
  return quantile(await load(service, work()), 0.99);
}

/**
 * Sends requests at fixed times until the work ends. Returns the ms of each response from the time at which its request was due, which includes
 * queueing.
 */
async function load(service: BenchService, work: Promise<unknown>): Promise<number[]> {
  const state = { isDone: false };
  const ended = work.finally(() => (state.isDone = true));
  const latencies: Promise<number>[] = [];
  const startedAt = performance.now();
  while (!state.isDone) {
    const dueAt = startedAt + (latencies.length * 1000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
    latencies.push(request(service, latencies.length, dueAt));
  }
  await ended;
  return Promise.all(latencies);
}

async function request({ origin, headersFor }: BenchService, number: number, dueAt: number): Promise<number> {
  const path = reads[number % reads.length]!;
  const caller = `reader-${Math.floor(number / reads.length) % callers}`;
  const headers = headersFor(["REGISTRY_READ", "REPORT_PROXY"], caller);
  const response = await fetch(origin + path, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} returned ${response.status}.`);
  return performance.now() - dueAt;
}
