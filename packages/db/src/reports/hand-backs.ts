import {
  deadAfterMs,
  type AwaitingReports,
  type Claim,
  type ClaimTerms,
  type HandBackCause,
  type HandBackPast,
  type Refusal,
} from "@reports/core";
import { and, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { isRecent } from "../database/interval.ts";
import type { Queries } from "../database/queries.ts";
import { enqueueReports } from "../queue/queue.ts";
import { reports } from "../schema/reports.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";
import { lockOpen } from "./attempt-statements.ts";
import { toReport } from "./report-row.ts";
import { addEvent, updateReport, type ReportUpdate, type StoredReport } from "./report-transitions.ts";

/** What a report that is handed back says of it. */
export function handedBack(because: HandBackCause): ReportUpdate {
  return {
    handBacks: sql`${reports.handBacks} + 1`,
    firstHandedBackAt: sql`coalesce(${reports.firstHandedBackAt}, clock_timestamp())`,
    handedBackBecause: because,
  };
}

/** Counts what waits for a worker that serves it; few rows, by an index that holds them alone. */
export async function readAwaitingReports(queries: Queries): Promise<readonly AwaitingReports[]> {
  return (
    queries
      .select({ type: reports.reportType, because: sql<HandBackCause>`${reports.handedBackBecause}`, count: count() })
      .from(reports)
      // In the index's own words, so that every plan may use it.
      .where(and(isNotNull(reports.handedBackBecause), sql`${reports.status} = 'QUEUED'`, isNull(reports.deletedAt)))
      .groupBy(reports.reportType, reports.handedBackBecause)
  );
}

/** How often the report was handed back, for how long, by Postgres's clock, and whether another worker serves it. */
async function readHandBacks(
  tx: Queries,
  { reportType, lane, handBacks, firstHandedBackAt: first }: StoredReport,
  { refusal, workerId }: { readonly refusal: Refusal; readonly workerId: string },
): Promise<HandBackPast> {
  const others = sql`
    select from ${workerHeartbeats} as worker
    where worker.worker_id <> ${workerId}::text and worker.stopping_at is null
      and ${isRecent(sql`worker.beat_at`, deadAfterMs)} and ${lane} = any (worker.lanes)
      and (worker.served_types ->> ${reportType}::text)::integer >= ${refusal.servedFromVersion}::integer`;
  const [found] = await tx.execute<{ waitedMs: number; isServedElsewhere: boolean }>(sql`
    select greatest(extract(epoch from clock_timestamp() - ${first?.toISOString() ?? null}::timestamptz) * 1000, 0)::float as "waitedMs",
      exists (${others}) as "isServedElsewhere"`);
  return { count: handBacks, ...found! };
}

/**
 * What becomes of a claim of the report by a worker that does not serve it; null where it is to be claimed.
 * What waits goes back to the queue. Its callers hear of that when the cause is another one than before: what waits for hours is handed
 * back some hundred times, and nothing of the record changes by that.
 */
export async function refuseClaim(
  tx: Queries,
  id: string,
  { workerId, refusalOf, delayOf, actor }: Omit<ClaimTerms, "leaseMs"> & { readonly actor: string },
): Promise<Claim | null> {
  const before = await lockOpen(tx, id);
  if (before === null) return { kind: "closed" };
  const report = toReport(before);
  const refusal = refusalOf(report);
  if (refusal === null) return null;
  if (before.status === "RUNNING") return { kind: "held" };
  const delayMs = delayOf(await readHandBacks(tx, before, { refusal, workerId }));
  if (delayMs === null) return null;
  const { because } = refusal;
  if (before.handedBackBecause === because) {
    await tx.update(reports).set(handedBack(because)).where(eq(reports.id, before.id));
  } else {
    await updateReport(tx, eq(reports.id, before.id), handedBack(because));
    await addEvent(tx, before, { from: "QUEUED", actor, because });
  }
  await enqueueReports(tx, [before.id], { minMs: delayMs, maxMs: delayMs });
  return { kind: "handed-back", report, refusal, delayMs };
}
