import { insertReportRecords } from "../data-set.ts";
import { median } from "../measure.ts";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { filterPairQueries, singleParameterQueries } from "../report-queries.ts";
import type { ResultLine, BenchSection } from "../bench-section.ts";
import { startBenchService, type BenchService } from "../bench-service.ts";

const reportCount = 1_000_000;
const goalMs = 30;
const requests = 5;
const callers = {
  "the commonest type": ["REPORT_PROXY"],
  "both types": ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"],
  "the rare type": ["REPORT_PROXY_DOMAIN"],
} as const;

export const reportListsSection: BenchSection = {
  name: "records",
  title: "Lists of a million reports",
  async run({ server, rounds }) {
    const databaseUrl = await server.database(100, "records");
    await fillReports(databaseUrl);
    await using service = await startBenchService(databaseUrl, {
      workers: 0,
      // One principal sends all requests, so its limit of concurrent lists must not refuse any.
      environment: { LIST_LIMIT_PER_PRINCIPAL: "8" },
    });
    const lines: ResultLine[] = [];
    for (const [caller, authorities] of Object.entries(callers)) {
      const headers = service.headersFor(authorities);
      lines.push(...(await readLists(service, headers, caller, rounds)));
      lines.push(...(await readPairs(service, headers, caller, rounds)));
    }
    return lines;
  },
};

async function readLists(
  service: BenchService,
  headers: Readonly<Record<string, string>>,
  caller: string,
  rounds: number,
): Promise<ResultLine[]> {
  const pages = { first: new Map<string, string>(), "500th or last": new Map<string, string>() };
  for (const query of singleParameterQueries) {
    const path = `/v1/reports?limit=50&${query}`;
    pages.first.set(query, path);
    pages["500th or last"].set(query, await findLaterPage(service, headers, path));
  }
  const lines: ResultLine[] = [];
  for (const [page, paths] of Object.entries(pages)) {
    const seen = new Map(singleParameterQueries.map((query) => [query, [] as number[]]));
    for (let round = 0; round < rounds * requests; round++)
      for (const [query, path] of paths) seen.get(query)!.push((await read(service, headers, path)).ms);
    const medians = [...seen].map(([query, all]) => [query, median(all)] as const);
    const slowestFirst = medians.toSorted(([, one], [, other]) => other - one);
    const listed = slowestFirst.map(([query, ms]) => `${query} ${ms.toFixed(1)}`);
    const isSort = (text: string): boolean => text.startsWith("sort=");
    const sorts = listed.filter(isSort).join(", ");
    const filters = listed.filter((text) => !isSort(text)).slice(0, 10);
    const slowest = Math.max(...medians.map(([, ms]) => ms));
    lines.push({
      work: `lists of reports at ${reportCount.toLocaleString("en")} records, a caller of ${caller}, ${page} page`,
      goal: `every p50 ≤ ${goalMs} ms`,
      seen: `${slowest.toFixed(1)} ms at most`,
      met: slowest <= goalMs,
      compared: `\`GET /v1/reports\` one by one, with credentials, p50 of ${rounds * requests} in ms. Sorts: ${sorts}. The slowest filters: ${filters.join(", ")}`,
    });
  }
  return lines;
}

async function readPairs(
  service: BenchService,
  headers: Readonly<Record<string, string>>,
  caller: string,
  rounds: number,
): Promise<ResultLine[]> {
  const seen = new Map(filterPairQueries.map((query) => [query, [] as number[]]));
  for (let round = 0; round < rounds; round++)
    for (const [query, all] of seen) all.push((await read(service, headers, `/v1/reports?limit=50&${query}`)).ms);
  const slowestFirst = [...seen]
    .map(([query, all]) => ({ query, ms: median(all) }))
    .toSorted((one, other) => other.ms - one.ms);
  const { searches = [], others = [] } = Object.groupBy(slowestFirst, ({ query }) =>
    new URLSearchParams(query).has("q") ? "searches" : "others",
  );
  return Object.entries({ "with a search": searches, "without a search": others }).map(([kind, pairs]) => {
    const above = pairs.filter(({ ms }) => ms > goalMs).length;
    const listed = pairs.slice(0, 10).map(({ query, ms }) => `${query} ${ms.toFixed(1)}`);
    return {
      work: `lists of reports at ${reportCount.toLocaleString("en")} records, a caller of ${caller}, ${pairs.length} pairs of filters and sorts ${kind}`,
      goal: `every p50 ≤ ${goalMs} ms`,
      seen: `${pairs[0]!.ms.toFixed(1)} ms at most, ${above} above ${goalMs} ms`,
      met: above === 0,
      compared: `\`GET /v1/reports\` one by one, with credentials, each filter and each two filters in each order, first page, p50 of ${rounds} in ms. The slowest: ${listed.join(", ")}`,
    };
  });
}

async function findLaterPage(
  service: BenchService,
  headers: Readonly<Record<string, string>>,
  path: string,
): Promise<string> {
  // The first 24,800 reports are read in pages of 200 to save requests. A cursor is valid for other page sizes, too.
  const sizes = [...Array.from({ length: 124 }, () => 200), 50, 50, 50];
  let at = path;
  for (const size of sizes) {
    const { next } = await read(service, headers, at.replace(/limit=\d+/, `limit=${size}`));
    if (next === null) break;
    at = next.replace(/limit=\d+/, "limit=50");
  }
  return at;
}

async function read(service: BenchService, headers: Readonly<Record<string, string>>, path: string) {
  const startedAt = performance.now();
  const response = await fetch(service.origin + path, { headers });
  const body = await response.text();
  const ms = performance.now() - startedAt;
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${body.slice(0, 200)}`);
  return { ms, next: /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? null };
}

async function fillReports(databaseUrl: string): Promise<void> {
  await using sql = openDisposableSql(databaseUrl);
  const [row] =
    await sql`select count(*)::integer as found, count(*) filter (where title like 'Export %' and requested_by like 'basic:%')::integer as titled from reports`;
  if (row!["found"] !== reportCount || row!["titled"] === 0) {
    await sql`truncate reports cascade`;
    await sql.begin(async (transaction) => insertReportRecords(transaction, reportCount));
  }
  await sql`vacuum (analyze) reports`;
}
