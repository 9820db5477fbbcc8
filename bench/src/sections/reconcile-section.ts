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
    // Each scrape resets the measurement of the event loop delay.
    const delays: number[] = [];
    const measure = async (what: string, comparedSizes: number) => {
      const before = now();
      const isDone = async (): Promise<boolean> => {
        const state = await scrape(origin);
        delays.push(state.delayMs);
        return state.comparedSizes >= comparedSizes;
      };
      await waitFor(isDone, { what, timeoutMs, intervalMs: 2_000 });
      const after = now();
      return { all: after.all - before.all, children: after.all - after.main - (before.all - before.main) };
    };
    const whole = await measure("the comparison of all files", files);
    await sql`update maintenance_turns set taken_at = '-infinity' where name = 'reconciliation'`;
    const sample = await measure("the check of a sample", files + 1_000);
    const perHour = (sample.all + whole.all / 24) / files;
    return [
      {
        work: `processor time of a worker per unchanged file and hour for comparisons of ${files.toLocaleString("en")} files in a folder with records: 24 samples and one comparison of all files per day`,
        goal: `≤ ${goalMs} ms`,
        seen: `${perHour.toFixed(3)} ms`,
        met: perHour <= goalMs,
        compared: `a sample takes ${(sample.children / 1000).toFixed(1)} s in a process of low priority. A comparison of all files takes ${(whole.children / files).toFixed(3)} ms per file there. With the worker's main process and all of its other work, it takes ${(whole.all / files).toFixed(3)} ms. Delay of the main process's event loop: at most ${Math.max(...delays).toFixed(1)} ms`,
      },
    ];
  },
};

/** Inserts records of reports that ended two days ago. Their IDs contain that time, as those of the service do. */
async function insertRecords(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, finished_at,
      progress_phase, percent, attempt, max_failures, file_id, file_name, file_extension, file_content_type, file_size_bytes,
      file_sha256, file_columns, file_storage_key)
    select id, 'PROXY', 1, 't', 'SUCCEEDED', '{}', '{}', 'bench', ended, 'done', 100, 1, 3, id, 'f', 'csv',
      'text/csv', 1, encode(sha256('x'), 'hex'), '{}', 'reports/' || id || '/1-aaaaaaaaaaaa.csv'
    from (select now() - interval '2 days' as ended) as time,
      lateral (
        select (lpad(to_hex((extract(epoch from ended) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid as id
        from generate_series(1, ${files}::integer) as n) as made
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
