import { StoreMismatchError, type StoreIdRepository } from "@reports/core/base";
import { and, desc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { prepareQuery } from "../database/prepare-query.ts";
import type { Queries } from "../database/queries.ts";
import { reports } from "../schema/reports.ts";
import { storeIds } from "../schema/store-markers.ts";

const selectStoreId = prepareQuery("select_store_marker", (queries) => queries.select().from(storeIds));

export async function assertSameStoreId(queries: Queries, storeId: string): Promise<void> {
  const [row] = await selectStoreId(queries, {});
  if (row?.id !== storeId)
    throw new StoreMismatchError("Another file store was adopted for this database while the file was stored.");
}

export function createStoreIdRepository(database: Database): StoreIdRepository {
  const isNamed = and(eq(reports.status, "SUCCEEDED"), isNull(reports.deletedAt), isNotNull(reports.fileStorageKey));
  const latestNamed = (limit: number) =>
    database.query(async (queries) => {
      const rows = await queries
        .select({ key: reports.fileStorageKey })
        .from(reports)
        .where(isNamed)
        .orderBy(desc(reports.id))
        .limit(limit);
      return rows.map(({ key }) => key!);
    });
  return {
    read: () =>
      database.query(async (queries) => {
        const [row] = await selectStoreId(queries, {});
        return row === undefined ? null : { id: row.id, adopted: row.adoptedAt !== null };
      }),
    namesFiles: async () => (await latestNamed(1)).length > 0,
    latestNamed,
    propose: (id) =>
      database.query(async (queries) => {
        await queries.insert(storeIds).values({ id }).onConflictDoNothing();
      }),
    exchange: (id, seen, work) =>
      database.transaction(async (tx) => {
        // This insert ensures that there is a row to lock. Concurrent exchanges of the store ID then wait for each other.
        await tx.insert(storeIds).values({ id }).onConflictDoNothing();
        const [row] = await tx.select().from(storeIds).for("update");
        if (row === undefined || (row.adoptedAt !== null && row.id !== seen)) return false;
        await work();
        const now = sql`clock_timestamp()`;
        await tx.update(storeIds).set({ id, createdAt: now, adoptedAt: now });
        return true;
      }),
    adopt: (work) =>
      database.transaction(async (tx) => {
        const [row] = await tx.select().from(storeIds).for("update");
        if (row === undefined || row.adoptedAt !== null) return false;
        await work(row.id);
        await tx
          .update(storeIds)
          .set({ adoptedAt: sql`clock_timestamp()` })
          .where(eq(storeIds.id, row.id));
        return true;
      }),
  };
}
