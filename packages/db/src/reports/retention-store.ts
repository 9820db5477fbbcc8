import type { RetentionStore } from "@reports/core/report";
import { and, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { ownedCollections } from "../collections/owned-collections.ts";
import { inventoryTableMappings } from "../collections/inventory-collections.ts";
import type { Database } from "../database/database.ts";
import { deleteSome } from "../database/delete-some.ts";
import type { Queries } from "../database/queries.ts";
import { addFileRemovals } from "./file-removals.ts";
import { intervalSql } from "../database/interval-sql.ts";
import { removeReportJobs } from "../queue/queue.ts";
import {
  addReportEvent,
  addReportEvents,
  nextRevisionColumns,
  endedReportColumns,
  systemActor,
  updateReport,
  clearedFileColumns,
} from "./report-transitions.ts";
import { downloadLinks } from "../schema/download-links.ts";
import { reportScheduleRuns, reportSchedules } from "../schema/report-schedules.ts";
import { reports } from "../schema/reports.ts";
import { webhookDeliveries, webhooks } from "../schema/webhooks.ts";

interface TombstoneTable {
  readonly table: PgTable & { readonly id: AnyPgColumn; readonly deletedAt: AnyPgColumn };
  readonly children?: readonly { readonly table: PgTable; readonly column: AnyPgColumn }[];
}

export const tombstoneTables: readonly TombstoneTable[] = [
  ...inventoryTableMappings,
  { table: webhooks, children: [{ table: webhookDeliveries, column: webhookDeliveries.webhookId }] },
  { table: reportSchedules },
  ...ownedCollections,
];

export function createRetentionStore(database: Database): RetentionStore {
  return {
    expire: (limit) =>
      database.transaction(async (tx) => {
        const where = and(
          eq(reports.status, "SUCCEEDED"),
          isNull(reports.deletedAt),
          lt(reports.expiresAt, sql`now()`),
        );
        const expired = await expireReports(tx, where, limit);
        await addFileRemovals(tx, "expired", expired);
        return expired.length + (await cancelRenditionsOfExpired(tx, limit));
      }),
    purge: (olderThanMs, limit) =>
      database.transaction(async (tx) => {
        const before = sql`now() - ${intervalSql(olderThanMs)}`;
        const ended = sql`select id from reports where coalesce(deleted_at, finished_at) < ${before}
            and (deleted_at is not null or status in ('FAILED', 'CANCELLED', 'EXPIRED')) limit ${limit} for update skip locked`;
        const gone = await tx
          .delete(reports)
          .where(sql`${reports.id} in (${ended})`)
          .returning({ id: reports.id });
        let count = gone.length;
        count += await deleteSome(tx, webhookDeliveries, sql`${webhookDeliveries.createdAt} < ${before}`, limit);
        for (const tombstones of tombstoneTables) count += await purgeTombstones(tx, tombstones, before, limit);
        return count;
      }),
    removeOldRuns: (olderThanMs, limit) =>
      database.query((queries) => {
        const isOld = sql`${reportScheduleRuns.firedAt} < now() - ${intervalSql(olderThanMs)}`;
        return deleteSome(queries, reportScheduleRuns, isOld, limit);
      }),
    removeEndedLinks: (limit) =>
      database.query((queries) => deleteSome(queries, downloadLinks, sql`${downloadLinks.expiresAt} < now()`, limit)),
  };
}

async function cancelRenditionsOfExpired(tx: Queries, limit: number): Promise<number> {
  const due = await tx
    .select({ id: reports.id, status: reports.status })
    .from(reports)
    .where(
      and(
        isNotNull(reports.fileOf),
        // This text equals the condition of reports_open_files_index, so that Postgres can use the index.
        sql`${reports.status} in ('QUEUED', 'RUNNING')`,
        isNull(reports.deletedAt),
        lt(reports.expiresAt, sql`now()`),
      ),
    )
    .limit(limit)
    .for("update", { skipLocked: true });
  for (const { id, status } of due) {
    const row = await updateReport(tx, eq(reports.id, id), { status: "CANCELLED", ...endedReportColumns });
    await addReportEvent(tx, row!, { from: status, actor: systemActor });
  }
  if (due.length > 0)
    await removeReportJobs(
      tx,
      due.map(({ id }) => id),
    );
  return due.length;
}

async function purgeTombstones(
  tx: Queries,
  { table, children = [] }: TombstoneTable,
  before: SQL,
  limit: number,
): Promise<number> {
  const childless = children.map(
    (child) => sql` and not exists (select from ${child.table} where ${child.column} = ${table.id})`,
  );
  return deleteSome(tx, table, sql`${table.deletedAt} < ${before}${sql.join(childless)}`, limit);
}

export async function expireReports(
  tx: Queries,
  where: SQL | undefined,
  limit: number,
): Promise<readonly { readonly reportId: string; readonly storageKey: string }[]> {
  const due = await tx
    .select({ reportId: reports.id, storageKey: reports.fileStorageKey })
    .from(reports)
    .where(where)
    .limit(limit)
    .for("update", { skipLocked: true });
  if (due.length === 0) return [];
  const ids = due.map(({ reportId }) => reportId);
  const rows = await tx
    .update(reports)
    .set({ ...nextRevisionColumns, ...clearedFileColumns, status: "EXPIRED" })
    .where(and(inArray(reports.id, ids), eq(reports.status, "SUCCEEDED")))
    .returning({ id: reports.id, status: reports.status, attempt: reports.attempt });
  await addReportEvents(tx, rows, { from: "SUCCEEDED", actor: systemActor });
  // A check constraint ensures that a SUCCEEDED report has a file.
  return due.map(({ reportId, storageKey }) => ({ reportId, storageKey: storageKey! }));
}
