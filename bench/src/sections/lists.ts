import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { requestOverAndOver, type Load } from "../http-load.ts";
import { interleave, median, quantile, ratio } from "../measure.ts";
import { runPgbench } from "../peers/pgbench.ts";
import { times, type BenchContext, type Line, type Section } from "../section.ts";
import { startService } from "../service.ts";

const load = { clients: 8, seconds: 4 };

interface Place {
  readonly id: string;
  readonly proxyId: string;
}

/** Lists and reads of domains through the API, next to pgbench running the same SQL. */
export const lists: Section = {
  name: "lists",
  title: "The register's lists and records, beside pgbench",
  async run({ server, rounds, domains, folder }: BenchContext): Promise<Line[]> {
    const databaseUrl = await server.database(domains);
    const { id, proxyId } = await somePlace(databaseUrl);
    await using service = await startService(databaseUrl, {
      workers: 0,
      // One caller uses all of the connections for lists.
      environment: { LIST_LIMIT_PER_PRINCIPAL: "8" },
    });
    const page = `select d.*, json_build_array((d.created_at)::text, (d.id)::text) from domains d join proxies p on p.id = d.proxy_id
      where d.deleted_at is null and p.deleted_at is null order by d.created_at desc, d.id desc limit 51;`;
    const one = `select * from domains where id = '${id}' and proxy_id = '${proxyId}';`;
    const works = [
      { work: "list of 50 domains", path: "/v1/domains", sql: page },
      { work: "read of one domain", path: `/v1/proxies/${proxyId}/domains/${id}`, sql: one },
    ];
    const lines: Line[] = [];
    for (const { work, path, sql } of works) {
      const p99s: Record<"pgbench" | "service", number[]> = { pgbench: [], service: [] };
      const seen = await interleave(
        {
          pgbench: async () => keep(p99s.pgbench, await runPeer(databaseUrl, folder, sql)),
          service: async () =>
            keep(p99s.service, await requestOverAndOver(service.origin + path, service.headers, load)),
        },
        rounds,
        { warmUp: true },
      );
      const ofService = `${Math.round(median(seen.service))}/s, p99 ${median(p99s.service).toFixed(1)} ms`;
      const ofPgbench = `${Math.round(median(seen.pgbench))}/s, p99 ${median(p99s.pgbench).toFixed(1)} ms`;
      lines.push({
        work: `${work} at ${domains.toLocaleString("en")} domains`,
        goal: "–",
        seen: `${times(ratio(seen.service, seen.pgbench))} pgbench`,
        compared: `${load.clients} clients, ${load.seconds} s a round: \`GET ${path.replace(id, "…").replace(proxyId, "…")}\` ${ofService}; \`pgbench -M prepared\`, the same SQL, ${ofPgbench}`,
      });
    }
    return lines;
  },
};

function keep(p99s: number[], { perSecond, latencies }: Load): number {
  p99s.push(quantile(latencies, 0.99));
  return perSecond;
}

async function somePlace(databaseUrl: string): Promise<Place> {
  const sql = postgres(databaseUrl, { max: 1 });
  const [row] = await sql<
    Place[]
  >`select id, proxy_id as "proxyId" from domains where deleted_at is null order by id desc limit 1`;
  await sql.end();
  return row!;
}

async function runPeer(databaseUrl: string, folder: string, text: string): Promise<Load> {
  const script = join(folder, "lists.sql");
  await writeFile(script, text.replaceAll(/\s+/g, " "));
  const prefix = join(folder, "lists-log");
  const size = ["-c", String(load.clients), "-j", "2", "-T", String(load.seconds)];
  const { perSecond } = await runPgbench(databaseUrl, script, [...size, "--log", `--log-prefix=${prefix}`]);
  const latencies: number[] = [];
  for (const name of await readdir(folder)) {
    if (!name.startsWith("lists-log")) continue;
    const file = join(folder, name);
    // client, transaction, microseconds, …
    for (const line of (await readFile(file, "utf8")).split("\n"))
      if (line !== "") latencies.push(Number(line.split(" ")[2]) / 1000);
    await rm(file);
  }
  return { perSecond, latencies };
}
