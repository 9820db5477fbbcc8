import type { RetentionStore } from "@reports/core";
import { and, eq, inArray, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { listRemovals } from "./file-removals.ts";
import { interval } from "../database/interval.ts";
import { addEvents, changed, systemActor, withoutFile } from "./report-transitions.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { reports } from "../schema/reports.ts";

/** Retention in Postgres, by its clock. */
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
        await listRemovals(tx, "expired", expired);
        return expired.length;
      }),
    purge: (olderThanMs, limit) =>
      database.transaction(async (tx) => {
        const before = sql`now() - ${interval(olderThanMs)}`;
        const old = {
          reports: sql`select id from reports where coalesce(deleted_at, finished_at) < ${before}
            and (deleted_at is not null or status in ('FAILED', 'CANCELLED', 'EXPIRED')) limit ${limit} for update skip locked`,
          domains: sql`select id from domains where deleted_at < ${before} limit ${limit}`,
          // Its domains were deleted with it, and go first.
          proxies: sql`select id from proxies where deleted_at < ${before}
            and not exists (select from domains where proxy_id = proxies.id) limit ${limit}`,
        };
        const gone = [
          await tx
            .delete(reports)
            .where(sql`${reports.id} in (${old.reports})`)
            .returning({ id: reports.id }),
          await tx
            .delete(domains)
            .where(sql`${domains.id} in (${old.domains})`)
            .returning({ id: domains.id }),
          await tx
            .delete(proxies)
            .where(sql`${proxies.id} in (${old.proxies})`)
            .returning({ id: proxies.id }),
        ];
        return gone.reduce((sum, rows) => sum + rows.length, 0);
      }),
  };
}

/** SUCCEEDED → EXPIRED for the rows that meet the condition, with their events; gives the files that they named. */
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
    .set({ ...changed, ...withoutFile, status: "EXPIRED" })
    .where(and(inArray(reports.id, ids), eq(reports.status, "SUCCEEDED")))
    .returning({ id: reports.id, status: reports.status, attempt: reports.attempt });
  await addEvents(tx, rows, { from: "SUCCEEDED", actor: systemActor });
  // A SUCCEEDED report has a file; a constraint says so.
  return due.map(({ reportId, storageKey }) => ({ reportId, storageKey: storageKey! }));
}
