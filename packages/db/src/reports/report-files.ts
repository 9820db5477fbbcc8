import { DomainError } from "@reports/core/base";
import {
  rowSnapshotContentType,
  rowSnapshotExtension,
  maxRenditionsPerReport,
  type RowSnapshot,
  type NewRowSnapshot,
  type Report,
} from "@reports/core/report";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queries } from "../database/queries.ts";
import { reports } from "../schema/reports.ts";
import { reportRecordColumns, toReport, type ReportRecordRow } from "./report-row.ts";

const isRendition = (reportId: string) => and(eq(reports.fileOf, reportId), eq(reports.isRowSnapshot, false));

export async function findRendition(queries: Queries, reportId: string, fileId: string): Promise<Report | null> {
  const [row] = await queries
    .select(reportRecordColumns)
    .from(reports)
    .where(and(eq(reports.id, fileId), isRendition(reportId)));
  return row === undefined ? null : toReport(row);
}

export async function listRenditions(queries: Queries, reportId: string): Promise<readonly Report[]> {
  const rows = await queries
    .select(reportRecordColumns)
    .from(reports)
    .where(and(isRendition(reportId), isNull(reports.deletedAt)))
    .orderBy(asc(reports.createdAt), asc(reports.id));
  return rows.map(toReport);
}

const sourceReport = alias(reports, "source");

export async function findRowSnapshot(queries: Queries, reportId: string): Promise<RowSnapshot | null> {
  const [row] = await queries
    .select({
      storageKey: sql<string>`${reports.fileStorageKey}`,
      sizeBytes: sql<number>`${reports.fileSizeBytes}::double precision`,
      sha256: sql<string>`${reports.fileSha256}`,
      requestedBy: sourceReport.requestedBy,
      requesterName: sourceReport.requesterName,
      createdAt: sourceReport.createdAt,
    })
    .from(reports)
    .innerJoin(sourceReport, eq(sourceReport.id, reports.fileOf))
    .where(
      and(
        eq(reports.fileOf, reportId),
        eq(reports.isRowSnapshot, true),
        eq(reports.status, "SUCCEEDED"),
        isNull(reports.deletedAt),
      ),
    );
  return row ?? null;
}

/** Locks the report against deletion, expiry and other additional formats. Throws DomainError if no additional format can be made from it. */
export async function lockReportForRendition(tx: Queries, reportId: string): Promise<void> {
  const [row] = await tx
    .select({ status: reports.status, deletedAt: reports.deletedAt, dataSha256: reports.dataSha256 })
    .from(reports)
    .where(and(eq(reports.id, reportId), isNull(reports.fileOf)))
    .for("no key update");
  if (row === undefined) throw new DomainError("not-found", "report-not-found", "There is no such report.");
  if (row.deletedAt !== null) throw new DomainError("gone", "report-deleted", "The report was deleted.");
  if (row.status === "EXPIRED") throw rowsGoneError();
  if (row.status !== "SUCCEEDED") {
    throw fileError("report-not-finished", `Additional formats need a report that is SUCCEEDED; it is ${row.status}.`);
  }
  if (row.dataSha256 === null) {
    throw fileError("rows-not-kept", "The report has no row snapshot. Start it again with keepRows.");
  }
  if ((await findRowSnapshot(tx, reportId)) === null) throw rowsGoneError();
  const files = await tx.$count(reports, and(isRendition(reportId), isNull(reports.deletedAt)));
  if (files < maxRenditionsPerReport) return;
  throw fileError(
    "too-many-files",
    `A report has at most ${maxRenditionsPerReport} additional files. Delete one of them.`,
  );
}

function fileError(code: "report-not-finished" | "rows-not-kept" | "too-many-files", message: string): DomainError {
  return new DomainError("invalid", code, message, { issues: [{ code: code.replaceAll("-", "_"), message }] });
}

function rowsGoneError(): DomainError {
  return new DomainError(
    "gone",
    "rows-gone",
    "The row snapshot of the report is no longer stored. Start the report again.",
  );
}

/** Stores the record of a report's row snapshot. Call it in the transaction that completes the report. The snapshot gets the report's expiry. */
export async function insertRowSnapshot(tx: Queries, of: ReportRecordRow, { id, file }: NewRowSnapshot): Promise<void> {
  await tx.insert(reports).values({
    id,
    reportType: of.reportType,
    definitionVersion: of.definitionVersion,
    title: of.title,
    searchParam: of.searchParam,
    searchParamGiven: of.searchParamGiven,
    options: of.options,
    requestedBy: of.requestedBy,
    maxFailures: of.maxFailures,
    attempt: of.attempt,
    fileOf: of.id,
    isRowSnapshot: true,
    status: "SUCCEEDED",
    startedAt: of.startedAt,
    finishedAt: of.finishedAt,
    expiresAt: of.expiresAt,
    dataAsOf: of.dataAsOf,
    progressPhase: "done",
    rowsDone: of.rowsDone,
    rowsTotal: of.rowsTotal,
    percent: 100,
    rowCount: of.rowCount,
    fileId: id,
    fileName: `${id}.${rowSnapshotExtension}`,
    fileExtension: rowSnapshotExtension,
    fileContentType: rowSnapshotContentType,
    fileSizeBytes: file.sizeBytes,
    fileSha256: file.sha256,
    fileColumns: [],
    fileStorageKey: file.storageKey,
    fileStoredVersion: file.storedVersion,
  });
}
