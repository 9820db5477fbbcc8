import type { SuspiciousFileRecorder, FileDamageStore, PublishedFileReader, PublishedFile } from "@reports/core/report";
import { and, asc, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { timeAgoSql } from "../database/interval-sql.ts";
import { addReportEvent, systemActor, updateReport, clearedFileColumns } from "./report-transitions.ts";
import { damagedFiles, fileSuspicions } from "../schema/file-verification-table.ts";
import { maintenancePositions } from "../schema/maintenance.ts";
import { reports } from "../schema/reports.ts";

const isPublished = and(eq(reports.status, "SUCCEEDED"), isNull(reports.deletedAt), isNotNull(reports.fileStorageKey));
const publishedColumns = {
  reportId: reports.id,
  storageKey: sql<string>`${reports.fileStorageKey}`,
  // The driver returns a bigint as text. No stored size exceeds 2^53, so a double holds it exactly.
  sizeBytes: sql<number>`${reports.fileSizeBytes}::double precision`,
  sha256: sql<string>`${reports.fileSha256}`,
  storedVersion: reports.fileStoredVersion,
};
const walkName = "file digests";

/** Creates the list of files to verify. It is separate, because the API's role may only add entries. */
export function createSuspiciousFileRecorder(database: Database): SuspiciousFileRecorder {
  return {
    note: (reportId) =>
      database.query(async (queries) => {
        await queries.insert(fileSuspicions).values({ reportId }).onConflictDoNothing();
      }),
  };
}

export function createFileVerificationStore(database: Database): FileDamageStore & PublishedFileReader {
  return {
    suspected: (limit) =>
      database.query(async (queries) =>
        queries
          .select(publishedColumns)
          .from(fileSuspicions)
          .innerJoin(reports, eq(reports.id, fileSuspicions.reportId))
          .where(isPublished)
          .orderBy(asc(fileSuspicions.notedAt))
          .limit(limit),
      ),
    clear: (reportId) =>
      database.query(async (queries) => {
        await queries.delete(fileSuspicions).where(eq(fileSuspicions.reportId, reportId));
      }),
    defer: (reportId) =>
      database.query(async (queries) => {
        await queries
          .update(fileSuspicions)
          .set({ notedAt: sql`clock_timestamp()` })
          .where(eq(fileSuspicions.reportId, reportId));
      }),
    saveVersion: (file, version) =>
      database.query(async (queries) => {
        // Callers don't see the version of the stored object. So neither the revision nor the events change.
        await queries.update(reports).set({ fileStoredVersion: version }).where(isSameFile(file));
      }),
    recentlyDamaged: () =>
      database.query(async (queries) =>
        queries.$count(damagedFiles, gt(damagedFiles.confirmedAt, timeAgoSql(3_600_000))),
      ),
    markDamaged: (file, { property, found }) =>
      database.transaction(async (tx) => {
        const row = await updateReport(tx, isSameFile(file), { ...clearedFileColumns, status: "EXPIRED" });
        await tx.delete(fileSuspicions).where(eq(fileSuspicions.reportId, file.reportId));
        if (row === null) return false;
        const { storageKey, reportId, sizeBytes, sha256 } = file;
        await tx
          .insert(damagedFiles)
          .values({ storageKey, reportId, sizeBytes, sha256, property, found: String(found) });
        await addReportEvent(tx, row, { from: "SUCCEEDED", actor: systemActor, because: "FILE_DAMAGED" });
        return true;
      }),
    // Deleted reports count too, so that Postgres can count in an index.
    count: () => database.query(async (queries) => queries.$count(reports, eq(reports.status, "SUCCEEDED"))),
    following: (after, limit) =>
      database.query(async (queries) =>
        queries
          .select(publishedColumns)
          .from(reports)
          .where(and(isPublished, after === null ? undefined : gt(reports.fileStorageKey, after)))
          .orderBy(asc(reports.fileStorageKey))
          .limit(limit),
      ),
    position: () =>
      database.query(async (queries) => {
        const [row] = await queries.select().from(maintenancePositions).where(eq(maintenancePositions.name, walkName));
        return row?.position ?? null;
      }),
    savePosition: (position) =>
      database.query(async (queries) => {
        await queries
          .insert(maintenancePositions)
          .values({ name: walkName, position })
          .onConflictDoUpdate({ target: maintenancePositions.name, set: { position } });
      }),
  };
}

function isSameFile(file: PublishedFile) {
  return and(isPublished, eq(reports.id, file.reportId), eq(reports.fileStorageKey, file.storageKey));
}
