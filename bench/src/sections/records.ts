import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { reportFilters, reportSorts } from "@reports/core/report";
import postgres from "postgres";
import { interleave, median, ratio } from "../measure.ts";
import { runPgbench } from "../peers/pgbench.ts";
import { times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService, type Service } from "../service.ts";

const count = 1_000_000;
const goalMs = 30;
/** Requests per round, list and page. */
const requests = 5;
const secondsPerRound = 5;
const fill = join(import.meta.dirname, "../report-records.sql");
const start = join(import.meta.dirname, "../peers/start-transaction.sql");
const callers = {
  "both types": ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"],
  "the rare type": ["REPORT_PROXY_DOMAIN"],
} as const;

/** Each filter alone, with a common value and a rare one. */
const filterValues: Readonly<Record<string, readonly string[]>> = {
  reportType: ["PROXY", "PROXY_DOMAIN"],
  status: ["EXPIRED", "CANCELLED"],
  format: ["pdf", "ndjson"],
  requestedBy: ["bench-principal-0", "bench-principal-9000"],
  scheduleId: ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"],
  createdFrom: ["2000-01-01T00:00:00Z"],
  createdTo: ["2100-01-01T00:00:00Z"],
};
const queries = [
  ...reportSorts.flatMap((sort) => [`sort=${sort}`, `sort=-${sort}`]),
  ...reportFilters.flatMap(({ name }) => filterValues[name]!.map((value) => `${name}=${value}`)),
];

/** Lists of reports through the API with a million records, and the cost of their indexes per start. */
export const records: Section = {
  name: "records",
  title: "Lists of a million reports",
  async run({ server, rounds }: BenchContext): Promise<Line[]> {
    const databaseUrl = await server.database(100, "records");
    await fillReports(databaseUrl);
    const lines: Line[] = [];
    {
      await using service = await startService(databaseUrl, {
        workers: 0,
        // One caller uses all of the connections for lists.
        environment: { LIST_LIMIT_PER_PRINCIPAL: "8" },
      });
      for (const [caller, authorities] of Object.entries(callers))
        lines.push(...(await readLists(service, service.headersFor(authorities), caller, rounds)));
    }
    return [...lines, await startsBesideFewerIndexes(server.postgres.url, databaseUrl, rounds)];
  },
};

async function readLists(
  service: Service,
  headers: Readonly<Record<string, string>>,
  caller: string,
  rounds: number,
): Promise<Line[]> {
  const pages = { first: new Map<string, string>(), "500th or last": new Map<string, string>() };
  for (const query of queries) {
    const path = `/v1/reports?limit=50&${query}`;
    pages.first.set(query, path);
    pages["500th or last"].set(query, await later(service, headers, path));
  }
  const lines: Line[] = [];
  for (const [page, paths] of Object.entries(pages)) {
    const seen = new Map(queries.map((query) => [query, [] as number[]]));
    for (let round = 0; round < rounds * requests; round++)
      for (const [query, path] of paths) seen.get(query)!.push((await read(service, headers, path)).ms);
    const medians = [...seen].map(([query, all]) => [query, median(all)] as const);
    const slowest = Math.max(...medians.map(([, ms]) => ms));
    lines.push({
      work: `lists of reports at ${count.toLocaleString("en")} records, a caller of ${caller}, ${page} page`,
      goal: `every p50 ≤ ${goalMs} ms`,
      seen: `${slowest.toFixed(1)} ms at most`,
      met: slowest <= goalMs,
      compared: `\`GET /v1/reports\` one by one, with credentials, p50 of ${rounds * requests}: ${medians.map(([query, ms]) => `${query} ${ms.toFixed(1)}`).join(", ")} ms`,
    });
  }
  return lines;
}

/** The path of the 500th page of fifty, or of the last one if there are fewer. */
async function later(service: Service, headers: Readonly<Record<string, string>>, path: string): Promise<string> {
  // A cursor does not depend on the page size.
  const sizes = [...Array.from({ length: 124 }, () => 200), 50, 50, 50];
  let at = path;
  for (const size of sizes) {
    const { next } = await read(service, headers, at.replace(/limit=\d+/, `limit=${size}`));
    if (next === null) break;
    at = next.replace(/limit=\d+/, "limit=50");
  }
  return at;
}

async function read(service: Service, headers: Readonly<Record<string, string>>, path: string) {
  const startedAt = performance.now();
  const answer = await fetch(service.origin + path, { headers });
  const body = await answer.text();
  const ms = performance.now() - startedAt;
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${body.slice(0, 200)}`);
  return { ms, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] ?? null };
}

async function fillReports(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const [row] = await sql`select count(*)::integer as found, count(schedule_id)::integer as scheduled from reports`;
    if (row!["found"] !== count || row!["scheduled"] === 0) {
      await sql`truncate reports cascade`;
      const text = (await readFile(fill, "utf8")).replaceAll(":records", String(count));
      await sql.begin(async (transaction) => transaction.unsafe(text));
    }
    await sql`vacuum (analyze) reports`;
  } finally {
    await sql.end();
  }
}

/** The statement of a start, with the indexes of the lists and without those by type. */
async function startsBesideFewerIndexes(adminUrl: string, databaseUrl: string, rounds: number): Promise<Line> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const fewer = `${name}_fewer_indexes`;
  const fewerUrl = databaseUrl.replace(/[^/]+$/, fewer);
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    await admin`drop database if exists ${admin(fewer)}`;
    await admin`create database ${admin(fewer)} template ${admin(name)}`;
    const copy = postgres(fewerUrl, { max: 1, onnotice: () => undefined });
    await copy`drop index reports_type_created_at_index, reports_type_finished_at_index, reports_type_status_index, reports_type_format_index, reports_requested_by_type_index`;
    await copy`create index on reports (created_at, id) where deleted_at is null`;
    await copy`create index on reports (requested_by, created_at, id) where deleted_at is null`;
    await copy.end();
    const bytes = { fewer: [] as number[], now: [] as number[] };
    const seen = await interleave(
      {
        fewer: async () => runStarts(fewerUrl, bytes.fewer),
        now: async () => runStarts(databaseUrl, bytes.now),
      },
      rounds,
      { warmUp: true },
    );
    const share = ratio(seen.now, seen.fewer);
    const told = (way: keyof typeof seen): string =>
      `${Math.round(median(seen[way]))}/s and ${Math.round(median(bytes[way]))} B of write-ahead log each`;
    return {
      work: `starts a second at ${count.toLocaleString("en")} records, with the indexes of the lists`,
      goal: "–",
      seen: `${times(share)} with two indexes instead of five`,
      compared: `\`pgbench -c 4 -M prepared -f start-transaction.sql\` ${told("now")}; with an index by time and one by requester alone ${told("fewer")}`,
    };
  } finally {
    await admin`drop database if exists ${admin(fewer)}`;
    await admin.end();
    await removeStarts(databaseUrl);
  }
}

/** Starts per second, each time from the same records. Adds to `bytes` what one start wrote to the write-ahead log. */
async function runStarts(databaseUrl: string, bytes: number[]): Promise<number> {
  const load = ["-c", "4", "-j", "1", "-T", String(secondsPerRound)];
  const before = await readWalBytes(databaseUrl);
  const { perSecond, transactions } = await runPgbench(databaseUrl, start, load);
  const written = (await readWalBytes(databaseUrl)) - before;
  bytes.push(written / transactions);
  await removeStarts(databaseUrl);
  return perSecond;
}

async function readWalBytes(databaseUrl: string): Promise<number> {
  const sql = postgres(databaseUrl, { max: 1 });
  const [row] = await sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::double precision as bytes`;
  await sql.end();
  return row!["bytes"] as number;
}

async function removeStarts(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await sql`delete from report_events`;
  await sql`delete from reports where requested_by = 'jwt|bench'`;
  await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
  await sql.end();
}
