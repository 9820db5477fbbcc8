import { waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import type { BenchServer } from "./data-set.ts";
import { requestOverAndOver } from "./http-load.ts";
import { familyMs } from "./programs.ts";
import type { Service } from "./service.ts";

/** Clients that start reports at once. */
export const clients = 16;
/** As many reports as it takes a worker until V8 compiles nothing any more: services that make thousands a minute are past that. */
export const warmUp = 2_800;
const body = { reportType: "PROXY", format: "csv", searchParam: { name: ["nobody"] } };

/** What a report took of each program's processor time, in ms, and how many were started a second meanwhile. */
export type Cost = Readonly<Record<"api" | "workers" | "renderers" | "postgres" | "load" | "startsPerSecond", number>>;

/** Starts so many csv reports without rows and waits until none is open; gives how many ended a second, and what each cost. */
export async function produceEmptyReports(
  { service, server, sql }: { readonly service: Service; readonly server: BenchServer; readonly sql: Sql },
  count: number,
): Promise<{ readonly perSecond: number; readonly cost: Cost }> {
  const used = () => ({
    ...service.processorMs(),
    postgres: familyMs(server.postgres.pid),
    load: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
  });
  const before = used();
  const startedAt = performance.now();
  const load = await requestOverAndOver(
    `${service.origin}/v1/reports`,
    service.headers,
    { clients, requests: count },
    body,
  );
  await waitFor(async () => (await countOpen(sql)) === 0, {
    what: "the reports",
    timeoutMs: 600_000,
    intervalMs: 50,
  });
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  const after = used();
  const of = (who: keyof typeof before): number => (after[who] - before[who]) / count;
  return {
    perSecond,
    cost: {
      api: of("api"),
      workers: of("workers"),
      renderers: of("renderers"),
      postgres: of("postgres"),
      load: of("load"),
      startsPerSecond: load.perSecond,
    },
  };
}

/** Removes the reports of the bench's caller, with what the queue has of them. */
export async function removeOwnReports(sql: Sql): Promise<void> {
  await sql`truncate report_queue_quick._private_jobs, report_queue_bulk._private_jobs`;
  await sql`delete from reports where requested_by like '%|bench'`;
  await sql`vacuum (analyze) reports, report_events`;
}

/** By an index that holds nothing else. */
async function countOpen(sql: Sql): Promise<number> {
  const [row] = await sql`select count(*)::integer as open from reports where status in ('QUEUED', 'RUNNING')`;
  return row!["open"] as number;
}
