import { reportIdOfStorageKey, type ReconciliationStore } from "@reports/core/report";
import { and, asc, eq, exists, gt, gte, inArray, lt, lte, notExists, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { confirmUnreferencedKeys } from "./file-removals.ts";
import { timeFromNowSql } from "../database/interval-sql.ts";
import { addReconcilerLogRow } from "./reconciler-log.ts";
import { fileRemovals, reconcilerLog } from "../schema/file-removals-table.ts";
import { fileMismatches } from "../schema/maintenance.ts";

export function createOrphanRemovalStore(
  database: Database,
): Pick<ReconciliationStore, "forgetResolved" | "schedule" | "scheduledAmong" | "due" | "scheduled" | "undo"> {
  const isNoRecord = eq(fileRemovals.reason, "no-record");
  const isDue = lte(fileRemovals.dueAt, sql`clock_timestamp()`);
  const foundIn = (queries: Queries, round: number) =>
    queries
      .select()
      .from(fileMismatches)
      .where(
        and(
          eq(fileMismatches.storageKey, fileRemovals.storageKey),
          eq(fileMismatches.kind, "no-record"),
          gte(fileMismatches.seenIn, round),
        ),
      );
  return {
    forgetResolved: (round) =>
      database.transaction(async (tx) => {
        await tx.delete(fileMismatches).where(lt(fileMismatches.seenIn, round));
        const kept = await tx
          .delete(fileRemovals)
          .where(and(isNoRecord, notExists(foundIn(tx, round))))
          .returning({ key: fileRemovals.storageKey });
        await addReconcilerLogRow(tx, "kept", kept.length);
      }),
    schedule: (keys, delayMs) =>
      database.transaction(async (tx) => {
        if (keys.length === 0) return 0;
        const dueAt = timeFromNowSql(delayMs);
        // `undo` may have deleted keys since the caller read them. The share lock makes a later `undo` wait for this transaction.
        const standing = await tx
          .select({ storageKey: fileMismatches.storageKey })
          .from(fileMismatches)
          .where(and(eq(fileMismatches.kind, "no-record"), inArray(fileMismatches.storageKey, [...keys])))
          .for("share");
        if (standing.length === 0) return 0;
        const rows = standing.map(({ storageKey }) => ({
          storageKey,
          reason: "no-record" as const,
          reportId: reportIdOfStorageKey(storageKey),
          dueAt,
        }));
        const added = await tx
          .insert(fileRemovals)
          .values(rows)
          .onConflictDoNothing()
          .returning({ key: fileRemovals.storageKey });
        await addReconcilerLogRow(tx, "scheduled", added.length);
        return added.length;
      }),
    scheduledAmong: (keys) =>
      database.query(async (queries) => {
        if (keys.length === 0) return new Map<string, boolean>();
        const rows = await queries
          .select({ key: fileRemovals.storageKey, isDue: sql<boolean>`${isDue}` })
          .from(fileRemovals)
          .where(and(isNoRecord, inArray(fileRemovals.storageKey, [...keys])));
        return new Map(rows.map(({ key, isDue }) => [key, isDue]));
      }),
    due: (round, after, limit) =>
      database.query(async (queries) => {
        const beyond = after === null ? undefined : gt(fileRemovals.storageKey, after);
        const rows = await queries
          .select({ key: fileRemovals.storageKey })
          .from(fileRemovals)
          .where(and(isNoRecord, isDue, beyond, exists(foundIn(queries, round))))
          .orderBy(asc(fileRemovals.storageKey))
          .limit(limit);
        return rows.map(({ key }) => key);
      }),
    scheduled: {
      confirm: (keys) =>
        database.transaction(async (tx) => {
          const unnamed = await confirmUnreferencedKeys(tx, keys, isNoRecord);
          await addReconcilerLogRow(tx, "kept", keys.length - unnamed.length);
          if (unnamed.length === 0) return [];
          const listed = await tx
            .select({ key: fileRemovals.storageKey })
            .from(fileRemovals)
            .where(and(isNoRecord, isDue, inArray(fileRemovals.storageKey, [...unnamed])));
          return listed.map(({ key }) => key);
        }),
      markRemoved: (keys) =>
        database.transaction(async (tx) => {
          const gone = [...keys];
          // Deletes from the two tables in the same order as `undo`, so that they don't deadlock.
          await tx.delete(fileMismatches).where(inArray(fileMismatches.storageKey, gone));
          await tx.delete(fileRemovals).where(and(isNoRecord, inArray(fileRemovals.storageKey, gone)));
          await addReconcilerLogRow(tx, "removed", gone.length);
        }),
    },
    undo: () =>
      database.transaction(async (tx) => {
        // The lock waits for transactions of `schedule`, which hold share locks on rows. The undo then also deletes the removals that they have
        // added.
        await tx.execute(sql`lock table ${fileMismatches} in exclusive mode`);
        await tx.delete(fileMismatches);
        const undone = await tx.delete(fileRemovals).where(isNoRecord).returning({ key: fileRemovals.storageKey });
        // The row is added even if nothing was scheduled, so that the next round compares all files.
        await tx.insert(reconcilerLog).values({ action: "undone", files: undone.length });
        return undone.length;
      }),
  };
}
