import type { FileIndex } from "@reports/core";
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { bindTexts } from "./relations/relation.ts";
import { expireReports } from "./retention-store.ts";
import { fileMismatches } from "./schema/maintenance.ts";
import { reports } from "./schema/reports.ts";

/** What Postgres knows of stored files. */
export function createFileIndex(database: Database): FileIndex {
  const ago = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::double precision)`;
  const isNamed = and(eq(reports.status, "SUCCEEDED"), isNull(reports.deletedAt), isNotNull(reports.fileStorageKey));
  return {
    async withoutRecord(keys) {
      if (keys.length === 0) return [];
      return database.query(async (queries) => {
        const rows = await queries.execute<{ key: string }>(sql`
          select key from unnest(${bindTexts(keys)}) as stored (key)
          where not exists (select from reports where file_storage_key = stored.key and deleted_at is null)
            and not exists (select from damaged_files where storage_key = stored.key)`);
        return rows.map(({ key }) => key);
      });
    },
    named: (after, minAgeMs, limit) =>
      database.query(async (queries) => {
        const rows = await queries
          .select({ key: reports.fileStorageKey })
          .from(reports)
          .where(
            and(
              isNamed,
              lt(reports.finishedAt, ago(minAgeMs)),
              after === null ? undefined : gt(reports.fileStorageKey, after),
            ),
          )
          .orderBy(asc(reports.fileStorageKey))
          .limit(limit);
        return rows.map(({ key }) => key!);
      }),
    async note(kind, keys) {
      if (keys.length === 0) return;
      await database.query(async (queries) => {
        const rows = keys.map((storageKey) => ({ storageKey, kind }));
        await queries.insert(fileMismatches).values(rows).onConflictDoNothing();
      });
    },
    known: (kind, minAgeMs, limit) =>
      database.query(async (queries) => {
        const rows = await queries
          .select({ key: fileMismatches.storageKey })
          .from(fileMismatches)
          .where(and(eq(fileMismatches.kind, kind), lt(fileMismatches.firstSeenAt, ago(minAgeMs))))
          .orderBy(asc(fileMismatches.firstSeenAt))
          .limit(limit);
        return rows.map(({ key }) => key);
      }),
    async forget(keys) {
      if (keys.length === 0) return;
      await database.query(async (queries) => {
        await queries.delete(fileMismatches).where(inArray(fileMismatches.storageKey, [...keys]));
      });
    },
    async expireNamed(key) {
      await database.transaction((tx) => expireReports(tx, and(isNamed, eq(reports.fileStorageKey, key)), 1));
    },
  };
}
