import { waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import type { BenchPostgres } from "./data-set.ts";
import { repeatRequest } from "./http-load.ts";
import { readProcessTreeProcessorMs } from "./programs.ts";
import type { BenchService } from "./bench-service.ts";

export const loadClientCount = 16;
/** Reports that are made before the measurement. After this number, V8 compiles no more code in a worker, as after a long uptime. */
export const warmUpReportCount = 2_800;
const body = { reportType: "PROXY", format: "csv", searchParam: { name: ["nobody"] } };

/** Processor time per report in ms, by process (`load` is the load generator). `startsPerSecond` is the rate of starts during the measurement. */
export type ReportCost = Readonly<
  Record<"api" | "workers" | "renderers" | "postgres" | "load" | "startsPerSecond", number>
>;

export async function produceEmptyReports(
  {
    service,
    server,
    sql,
    callers = 1,
  }: { readonly service: BenchService; readonly server: BenchPostgres; readonly sql: Sql; readonly callers?: number },
  count: number,
): Promise<{ readonly perSecond: number; readonly cost: ReportCost }> {
  const used = () => ({
    ...service.processorMs(),
    postgres: readProcessTreeProcessorMs(server.postgres.pid),
    load: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  });
  const before = used();
  const startedAt = performance.now();
  const amount = { clients: loadClientCount, requests: count };
  const load = await repeatRequest(`${service.origin}/v1/reports`, service.headersOfCallers(callers), amount, body);
  await waitFor(async () => (await countOpen(sql)) === 0, {
    what: "the reports",
    timeoutMs: 600_000,
    // Polls rarely, because each poll reads all open reports, and its time would count as Postgres's time for the reports.
    intervalMs: 250,
  });
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  const after = used();
  const parts = ["api", "workers", "renderers", "postgres", "load"] as const;
  const costs = Object.fromEntries(parts.map((part) => [part, (after[part] - before[part]) / count]));
  return { perSecond, cost: { ...(costs as Record<(typeof parts)[number], number>), startsPerSecond: load.perSecond } };
}

export async function removeBenchReports(sql: Sql): Promise<void> {
  await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
  await sql`delete from reports where requested_by like '%|bench%'`;
  await sql`vacuum (analyze) reports, report_events`;
}

async function countOpen(sql: Sql): Promise<number> {
  const [row] = await sql`select count(*)::integer as open from reports where status in ('QUEUED', 'RUNNING')`;
  return row!["open"] as number;
}
