import { join } from "node:path";
import { domainsCollection } from "@reports/core/inventory";
import { findFreePort, startProcess, type StandProcess } from "@reports/testing";
import type { Sql } from "postgres";
import { repeatRequest, type LoadResult } from "../http-load.ts";
import { measureAlternately, median, quantile, medianRatio } from "../measure.ts";
import type { BareRoute } from "../peers/bare-route.ts";
import { readProcessorMs } from "../programs.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { formatRatio, type ResultLine, type BenchSection } from "../bench-section.ts";
import { startBenchService, type BenchService } from "../bench-service.ts";

/** Number of principals that read. The API limits the lists that one principal reads at the same time. */
const principals = 4;
const load = { clients: 2, seconds: 3 };
const bareRouteProgram = join(import.meta.dirname, "../peers/bare-route.ts");
const domainColumns = {
  fields: Object.keys(domainsCollection.schema.shape),
  numbers: ["requests24h", "bytesOut24h", "errorRate5xx24h"],
};

type Way = "bare" | "service";

interface ComparedWork {
  readonly name: string;
  readonly path: string;
  readonly goal: number;
  readonly values: readonly string[];
  readonly limit: number | null;
}

export const inventoryReadsSection: BenchSection = {
  name: "reads",
  title: "Lists and records of the inventory, compared with a bare route",
  async run({ server, rounds, domains }) {
    const databaseUrl = await server.database(domains);
    await using sql = openDisposableSql(databaseUrl);
    await using service = await startBenchService(databaseUrl, {
      workers: 0,
      environment: { READ_LIMIT_PER_MINUTE: "1000000" },
    });
    const [domain] = await sql<{ id: string; proxyId: string }[]>`
      select id, proxy_id as "proxyId" from domains where deleted_at is null order by id desc limit 1`;
    const { id, proxyId } = domain!;
    const works: readonly ComparedWork[] = [
      { name: "list of 50 domains", path: "/v1/domains", goal: 0.95, values: [], limit: 50 },
      {
        name: "read of one domain",
        path: `/v1/proxies/${proxyId}/domains/${id}`,
        goal: 0.6,
        values: [id, proxyId],
        limit: null,
      },
    ];
    const routes: BareRoute[] = [];
    for (const { path, values, limit } of works)
      routes.push({ path, values, limit, ...domainColumns, text: await statementOf(sql, service, path) });
    await using bare = await startBare(databaseUrl, routes);
    const lines: ResultLine[] = [];
    for (const work of works) {
      await assertSameBytes(service, bare.origin, work.path);
      lines.push(await measure(service, bare, work, { rounds, domains, hide: [id, proxyId] }));
    }
    return lines;
  },
};

async function measure(
  service: BenchService,
  bare: StandProcess,
  { name, path, goal }: ComparedWork,
  { rounds, domains, hide }: { readonly rounds: number; readonly domains: number; readonly hide: readonly string[] },
): Promise<ResultLine> {
  const p99s: Record<Way, number[]> = { bare: [], service: [] };
  const costs: Record<Way, number[]> = { bare: [], service: [] };
  const run = async (way: Way, origin: string, pid: number): Promise<number> => {
    const before = readProcessorMs(pid);
    const { perSecond, latencies } = await requestAsAllPrincipals(service, origin + path);
    costs[way].push(((readProcessorMs(pid) - before) * 1000) / latencies.length);
    p99s[way].push(quantile(latencies, 0.99));
    return perSecond;
  };
  const seen = await measureAlternately(
    {
      bare: async () => run("bare", bare.origin, bare.pid!),
      service: async () => run("service", service.origin, service.apiPid),
    },
    rounds,
    { warmUp: true },
  );
  const share = medianRatio(seen.service, seen.bare);
  const describe = (way: Way): string =>
    `${Math.round(median(seen[way]))}/s, p99 ${median(p99s[way]).toFixed(1)} ms, ${Math.round(median(costs[way]))} µs of its processor time per request`;
  const shown = hide.reduce((text, part) => text.replace(part, "…"), path);
  return {
    work: `${name} at ${domains.toLocaleString("en")} domains, compared with a bare route`,
    goal: `≥ ${goal} × bare`,
    seen: formatRatio(share),
    met: share >= goal,
    compared: `${principals * load.clients} clients, ${load.seconds} s per round: \`GET ${shown}\` with bearer tokens and limits: ${describe("service")}. A bare route (Koa and postgres.js, the same SQL and the same bytes): ${describe("bare")}`,
  };
}

async function requestAsAllPrincipals(service: BenchService, url: string): Promise<LoadResult> {
  const loads = await Promise.all(
    Array.from({ length: principals }, async (_, index) =>
      repeatRequest(url, service.headersFor(["REGISTRY_READ"], `caller-${index}`), load),
    ),
  );
  return {
    perSecond: loads.reduce((sum, { perSecond }) => sum + perSecond, 0),
    latencies: loads.flatMap(({ latencies }) => latencies),
  };
}

async function statementOf(sql: Sql, service: BenchService, path: string): Promise<string> {
  const response = await fetch(service.origin + path, { headers: service.headers });
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  const [row] = await sql<{ query: string }[]>`
    select query from pg_stat_activity
    where datname = current_database() and application_name like 'reports%' and query like '%"hostnameAscii"%'
    order by query_start desc limit 1`;
  if (row === undefined) throw new Error(`Postgres shows no statement of ${path}.`);
  return row.query;
}

async function assertSameBytes(service: BenchService, bareOrigin: string, path: string): Promise<void> {
  const headers = { ...service.headers, "accept-encoding": "identity" };
  const read = async (origin: string): Promise<Buffer> =>
    Buffer.from(await (await fetch(origin + path, { headers })).arrayBuffer());
  const [ours, bare] = [await read(service.origin), await read(bareOrigin)];
  if (!ours.equals(bare))
    throw new Error(`${path} returns other bytes than the bare route:\n${ours.toString()}\n${bare.toString()}`);
}

async function startBare(databaseUrl: string, routes: readonly BareRoute[]) {
  const port = await findFreePort();
  const args = [bareRouteProgram, databaseUrl, String(port), JSON.stringify(routes)];
  const bare = startProcess({ name: "the bare route", args, environment: {}, origin: `http://127.0.0.1:${port}` });
  await bare.waitForLog("listening");
  return bare;
}
