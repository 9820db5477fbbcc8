import {
  workerDeadAfterMs,
  type RequeuedReportCount,
  type Claim,
  type ClaimTerms,
  type RequeueHistory,
  type WorkerRefusal,
} from "@reports/core/report";
import type { RequeueCause } from "@reports/core/base";
import { and, count, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { isYoungerThan } from "../database/interval-sql.ts";
import type { Queries } from "../database/queries.ts";
import { enqueueReports } from "../queue/queue.ts";
import { reports } from "../schema/reports.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";
import { lockUnfinishedReport } from "./attempt-statements.ts";
import { toReport } from "./report-row.ts";
import { addReportEvent, updateReport, type ReportUpdate, type FullReportRow } from "./report-transitions.ts";

export function requeuedColumns(because: RequeueCause): ReportUpdate {
  return {
    requeues: sql`${reports.requeues} + 1`,
    firstRequeuedAt: sql`coalesce(${reports.firstRequeuedAt}, clock_timestamp())`,
    requeuedBecause: because,
  };
}

/** Counts, by type and cause, the queued reports that a worker has returned to the queue. A partial index holds these few rows. */
export async function readRequeuedCounts(queries: Queries): Promise<readonly RequeuedReportCount[]> {
  return (
    queries
      .select({ type: reports.reportType, because: sql<RequeueCause>`${reports.requeuedBecause}`, count: count() })
      .from(reports)
      // The condition equals that of the partial index word for word, so that every plan can use the index.
      .where(and(isNotNull(reports.requeuedBecause), sql`${reports.status} = 'QUEUED'`, isNull(reports.deletedAt)))
      .groupBy(reports.reportType, reports.requeuedBecause)
  );
}

function servedElsewhere(
  { reportType, lane }: Pick<FullReportRow, "reportType" | "lane">,
  { workerId, servedFromVersion, spoolAboveBytes }: ElsewhereTerms,
): SQL<boolean> {
  return sql<boolean>`exists (
    select from ${workerHeartbeats} as worker
    where worker.worker_id <> ${workerId}::text and worker.stopping_at is null
      and ${isYoungerThan(sql`worker.beat_at`, workerDeadAfterMs)} and ${lane} = any (worker.lanes)
      and (worker.served_types ->> ${reportType}::text)::integer >= ${servedFromVersion}::integer
      and (${spoolAboveBytes ?? null}::bigint is null or worker.spool_bytes > ${spoolAboveBytes ?? null}::bigint))`;
}

interface ElsewhereTerms extends Pick<WorkerRefusal, "servedFromVersion" | "spoolAboveBytes"> {
  readonly workerId: string;
}

export async function isServedByOtherWorkers(
  queries: Queries,
  id: string,
  { workerId, spoolBytes }: { readonly workerId: string; readonly spoolBytes: number },
): Promise<boolean> {
  const [report] = await queries.select().from(reports).where(eq(reports.id, id));
  if (report === undefined) return false;
  const terms = { workerId, servedFromVersion: report.definitionVersion, spoolAboveBytes: spoolBytes };
  const [found] = await queries.execute<{ is: boolean }>(sql`select ${servedElsewhere(report, terms)} as "is"`);
  return found!.is;
}

async function readRequeueHistory(
  tx: Queries,
  report: FullReportRow,
  { refusal, workerId }: { readonly refusal: WorkerRefusal; readonly workerId: string },
): Promise<RequeueHistory> {
  const { requeues, firstRequeuedAt: first } = report;
  const [found] = await tx.execute<{ waitedMs: number; isServedElsewhere: boolean }>(sql`
    select greatest(extract(epoch from clock_timestamp() - ${first?.toISOString() ?? null}::timestamptz) * 1000, 0)::float as "waitedMs",
      ${servedElsewhere(report, { ...refusal, workerId })} as "isServedElsewhere"`);
  return { count: requeues, ...found! };
}

/**
 * Requeues a report that its worker does not serve, and returns null if the worker may claim it. Writes an event only if the cause changes, because a
 * waiting report is requeued hundreds of times.
 */
export async function requeueIfNotServed(
  tx: Queries,
  id: string,
  { workerId, refusalOf, delayOf, actor }: Omit<ClaimTerms, "leaseMs"> & { readonly actor: string },
): Promise<Claim | null> {
  const before = await lockUnfinishedReport(tx, id);
  if (before === null) return { kind: "closed" };
  const report = toReport(before);
  const refusal = refusalOf(report, before);
  if (refusal === null) return null;
  if (before.status === "RUNNING") return { kind: "held" };
  const { because } = refusal;
  const past = await readRequeueHistory(tx, before, { refusal, workerId });
  const mayReturn = past.waitedMs < (refusal.awaitsReturnMs ?? 0);
  if (refusal.onlyIfElsewhere === true && !past.isServedElsewhere && !mayReturn) return null;
  const delayMs = delayOf(past);
  if (delayMs === null) return null;
  if (before.requeuedBecause === because) {
    await tx.update(reports).set(requeuedColumns(because)).where(eq(reports.id, before.id));
  } else {
    await updateReport(tx, eq(reports.id, before.id), requeuedColumns(because));
    await addReportEvent(tx, before, { from: "QUEUED", actor, because });
  }
  await enqueueReports(tx, [before.id], { minMs: delayMs, maxMs: delayMs });
  return { kind: "handed-back", report, refusal, delayMs };
}
