import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import { openDisposableSql } from "../open-disposable-sql.ts";
import { readProcessTreeProcessorMs, readProcessorMs } from "../programs.ts";
import type { BenchSection } from "../bench-section.ts";
import { startBenchService } from "../bench-service.ts";

const files = 100_000;
const goalMs = 0.1;
/** Maximum ms until a round of the reconciler ends. A worker begins its first round about a minute after its start. */
const timeoutMs = 300_000;

export const reconcileSection: BenchSection = {
  name: "reconcile",
  title: "Comparison of files with records",
  async run({ server }) {
    const databaseUrl = await server.database(100, "reconcile");
    await using sql = openDisposableSql(databaseUrl);
    await sql`truncate reports cascade`;
    await sql`truncate reconciler_log, maintenance_turns`;
    await using service = await startBenchService(databaseUrl, {
      environment: { RECONCILER: "on", RECONCILE_MIN_AGE_HOURS: "1", RECORD_RETENTION_DAYS: "3650" },
    });
    const [worker] = service.workers;
    const { pid, origin } = worker!;
    for (const id of await insertRecords(sql)) writeOldFile(join(service.filesFolder, "reports", id));
    const now = () => ({ main: readProcessorMs(pid), all: readProcessTreeProcessorMs(pid) });
    const before = now();
    // Each scrape resets the measurement of the event loop delay.
    const delays: number[] = [];
    const areSizesCompared = async (): Promise<boolean> => {
      const { delayMs, comparedSizes } = await scrape(origin);
      delays.push(delayMs);
      return comparedSizes >= files;
    };
    await waitFor(areSizesCompared, { what: "the comparison of sizes", timeoutMs, intervalMs: 5_000 });
    const rounds = async () => sql`select from reconciler_log where action = 'compared'`;
    await waitFor(async () => (await rounds()).length > 0, { what: "the comparison with records", timeoutMs });
    const after = now();
    const all = (after.all - before.all) / files;
    const main = (after.main - before.main) / files;
    return [
      {
        work: `processor time of a worker per unchanged file, comparing records and then sizes once, ${files.toLocaleString("en")} files in a folder`,
        goal: `≤ ${goalMs} ms`,
        seen: `${all.toFixed(3)} ms`,
        met: all <= goalMs,
        compared: `of it in the worker's main process, with all of its other work: ${main.toFixed(3)} ms. Delay of its event loop meanwhile: at most ${Math.max(...delays).toFixed(1)} ms`,
      },
    ];
  },
};

async function insertRecords(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, finished_at,
      progress_phase, percent, attempt, max_failures, file_id, file_name, file_extension, file_content_type, file_size_bytes,
      file_sha256, file_columns, file_storage_key)
    select id, 'PROXY', 1, 't', 'SUCCEEDED', '{}', '{}', 'bench', now() - interval '2 days', 'done', 100, 1, 3, id, 'f', 'csv',
      'text/csv', 1, encode(sha256('x'), 'hex'), '{}', 'reports/' || id || '/1-aaaaaaaaaaaa.csv'
    from (select gen_random_uuid() as id from generate_series(1, ${files}::integer)) as made
    returning id`;
  await sql`vacuum (analyze) reports`;
  return rows.map(({ id }) => id);
}

function writeOldFile(folder: string): void {
  const path = join(folder, "1-aaaaaaaaaaaa.csv");
  const time = new Date(Date.now() - 2 * 86_400_000);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, "x");
  utimesSync(path, time, time);
}

/** Reads the longest event loop delay of the worker since the last scrape, in ms, and the number of files whose size it has compared. */
async function scrape(origin: string): Promise<{ readonly delayMs: number; readonly comparedSizes: number }> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const read = (name: string, labels: string): number =>
    Number(new RegExp(`^${name}\\{?.*${labels}.*\\}? (\\S+)$`, "m").exec(text)?.[1]);
  return {
    delayMs: read("nodejs_eventloop_lag_max_seconds", "") * 1000,
    comparedSizes: read("reports_files_verified_total", 'property="size"'),
  };
}
