import type { FileRemovals, RemovalReason } from "@reports/core/report";
import { and, asc, gt, inArray, lte, ne, sql, type SQL } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { bindArray } from "../relations/relation.ts";
import { fileRemovals } from "../schema/file-removals-table.ts";

export function createFileRemovals(database: Database): FileRemovals {
  return {
    abandon: (storageKey, reportId) =>
      database.query((queries) => addFileRemovals(queries, "abandoned", [{ reportId, storageKey }])),
    due: (after, limit) =>
      database.query(async (queries) => {
        const rows = await queries
          .select({ key: fileRemovals.storageKey })
          .from(fileRemovals)
          .where(
            and(
              ne(fileRemovals.reason, "no-record"),
              lte(fileRemovals.dueAt, sql`clock_timestamp()`),
              after === null ? undefined : gt(fileRemovals.storageKey, after),
            ),
          )
          .orderBy(asc(fileRemovals.storageKey))
          .limit(limit);
        return rows.map(({ key }) => key);
      }),
    confirm: (keys) =>
      database.transaction((tx) => confirmUnreferencedKeys(tx, keys, ne(fileRemovals.reason, "no-record"))),
    markRemoved: (keys) =>
      database.query(async (queries) => {
        const asked = and(inArray(fileRemovals.storageKey, [...keys]), ne(fileRemovals.reason, "no-record"));
        await queries.delete(fileRemovals).where(asked);
      }),
  };
}

/** Adds files to the removal list, due immediately. Call it in the transaction in which the records stop naming the files. */
export async function addFileRemovals(
  tx: Queries,
  reason: Exclude<RemovalReason, "no-record">,
  files: readonly { readonly reportId: string; readonly storageKey: string }[],
): Promise<void> {
  if (files.length === 0) return;
  const rows = files.map((file) => ({ ...file, reason, dueAt: sql`clock_timestamp()` }));
  await tx.insert(fileRemovals).values(rows).onConflictDoNothing();
}

/** Returns the keys that no active record names. Deletes the other keys' entries that satisfy `within` from the removal list. */
export async function confirmUnreferencedKeys(
  tx: Queries,
  keys: readonly string[],
  within: SQL,
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await tx.execute<{ key: string }>(sql`
    select file_storage_key as key from reports where file_storage_key = any (${bindArray(keys)}) and deleted_at is null`);
  const named = new Set(rows.map(({ key }) => key));
  if (named.size > 0) await tx.delete(fileRemovals).where(and(inArray(fileRemovals.storageKey, [...named]), within));
  return keys.filter((key) => !named.has(key));
}
