import { and, eq, isNull, sql } from "drizzle-orm";
import type { Queries } from "../database/queries.ts";
import { removeReportJobs } from "../queue/queue.ts";
import { reportEvents } from "../schema/report-events.ts";
import { reports } from "../schema/reports.ts";
import { addFileRemovals } from "./file-removals.ts";
import { addReportEvent, endedReportColumns, updateReport, type FullReportRow } from "./report-transitions.ts";

interface Removed {
  readonly record: FullReportRow;
  readonly cancelled: readonly FullReportRow[];
}

export async function removeReportWithFiles(tx: Queries, id: string, actor: string): Promise<Removed | null> {
  const record = await removeRecord(tx, id, actor);
  if (record === null) return null;
  // removeRecord has locked the report, so no start can add an additional format now.
  const files = await tx
    .select({ id: reports.id })
    .from(reports)
    .where(and(eq(reports.fileOf, id), isNull(reports.deletedAt)));
  const removed = [record];
  for (const file of files) {
    const rendition = await removeRecord(tx, file.id, actor);
    if (rendition !== null) removed.push(rendition);
  }
  return { record, cancelled: removed.filter(({ status }) => isOpen(status)) };
}

async function removeRecord(tx: Queries, id: string, actor: string): Promise<FullReportRow | null> {
  const [before] = await tx
    .select()
    .from(reports)
    .where(and(eq(reports.id, id), isNull(reports.deletedAt)))
    .for("update");
  if (before === undefined) return null;
  const wasOpen = isOpen(before.status);
  const changes = wasOpen ? ({ status: "CANCELLED", ...endedReportColumns } as const) : {};
  const row = (await updateReport(tx, eq(reports.id, id), { ...changes, deletedAt: sql`now()` }))!;
  if (wasOpen) {
    await addReportEvent(tx, row, { from: before.status, actor });
    await removeReportJobs(tx, [id]);
  }
  const { status: from, attempt } = row;
  await tx.insert(reportEvents).values({ reportId: id, from, to: "DELETED", attempt, actor });
  const storageKey = before.fileStorageKey;
  if (storageKey !== null) await addFileRemovals(tx, "deleted", [{ reportId: id, storageKey }]);
  return before;
}

function isOpen(status: FullReportRow["status"]): boolean {
  return status === "QUEUED" || status === "RUNNING";
}
