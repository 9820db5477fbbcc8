import {
  initialProgress,
  reportOptionsSchema,
  findUnknownOptions,
  type NewReport,
  type Report,
  type ReportFile,
} from "@reports/core/report";
import { isReportWarningCode, type ReportWarningCode } from "@reports/core/base";
import type { SearchParam } from "@reports/core/query";
import { getTableColumns } from "drizzle-orm";
import { z } from "zod";
import { reports } from "../schema/reports.ts";

const scalarSchema = z.union([z.string(), z.number(), z.boolean()]);
const searchParamSchema: z.ZodType<SearchParam> = z.record(z.string(), z.union([scalarSchema, z.array(scalarSchema)]));

const recordKeys = [
  ...([
    "id",
    "reportType",
    "definitionVersion",
    "title",
    "status",
    "searchParam",
    "searchParamGiven",
    "options",
    "requestedBy",
    "requesterName",
    "scheduleId",
  ] as const),
  ...(["createdAt", "startedAt", "finishedAt", "updatedAt", "expiresAt", "dataAsOf"] as const),
  ...(["progressPhase", "rowsDone", "rowsTotal", "percent"] as const),
  ...(["attempt", "failures", "maxFailures", "rowCount", "warnings", "warningCodes"] as const),
  ...([
    "fileId",
    "fileName",
    "fileExtension",
    "fileContentType",
    "fileSizeBytes",
    "fileSha256",
    "fileColumns",
  ] as const),
  ...(["fileStorageKey", "fileStoredVersion", "errorCode", "errorDetail", "errorRetryable"] as const),
  ...(["revision", "deletedAt", "traceparent", "requestId", "fileOf", "dataSha256"] as const),
];
type RecordKey = (typeof recordKeys)[number];
const columns = getTableColumns(reports);

export const reportRecordColumns = Object.fromEntries(recordKeys.map((key) => [key, columns[key]])) as Pick<
  typeof columns,
  RecordKey
>;
export type ReportRecordRow = Pick<typeof reports.$inferSelect, RecordKey>;

/** Converts a row to a report. Validates the JSON columns, because another release may have written them. Throws ZodError if they are invalid. */
export function toReport(row: ReportRecordRow): Report {
  const unknownOptions = findUnknownOptions(row.options);
  return {
    id: row.id,
    reportType: row.reportType,
    definitionVersion: row.definitionVersion,
    title: row.title,
    status: row.status,
    searchParam: searchParamSchema.parse(row.searchParam),
    searchParamGiven: searchParamSchema.parse(row.searchParamGiven ?? row.searchParam),
    options: reportOptionsSchema.parse(row.options),
    ...(unknownOptions.length === 0 ? {} : { unknownOptions }),
    requestedBy: row.requestedBy,
    requesterName: row.requesterName,
    scheduleId: row.scheduleId,
    createdAt: row.createdAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
    dataAsOf: row.dataAsOf,
    progress: {
      phase: row.progressPhase,
      rowsDone: row.rowsDone,
      rowsTotal: row.rowsTotal,
      percent: row.percent,
    },
    attempt: row.attempt,
    failures: row.failures,
    maxFailures: row.maxFailures,
    rowCount: row.rowCount,
    file: toFile(row),
    warnings: row.warnings.map((message, index) => ({ code: warningCodeOf(row.warningCodes[index]), message })),
    error:
      row.errorCode === null
        ? null
        : { code: row.errorCode, detail: row.errorDetail ?? "", retryable: row.errorRetryable ?? false },
    revision: row.revision,
    deletedAt: row.deletedAt,
    traceparent: row.traceparent,
    requestId: row.requestId,
    fileOf: row.fileOf,
    dataSha256: row.dataSha256,
  };
}

/**
 * Returns the record of a report that was just inserted. Apart from the times, its values are given or are column defaults, so no row is read
 * back.
 */
export function toQueuedReport(report: NewReport, createdAt: Date, expiresAt: Date | null): Report {
  return {
    id: report.id,
    reportType: report.reportType,
    definitionVersion: report.definitionVersion,
    title: report.title,
    status: "QUEUED",
    searchParam: report.searchParam,
    searchParamGiven: report.searchParamGiven,
    options: report.options,
    requestedBy: report.requestedBy,
    requesterName: report.requesterName ?? null,
    scheduleId: report.scheduleId ?? null,
    createdAt,
    startedAt: null,
    finishedAt: null,
    updatedAt: createdAt,
    expiresAt,
    dataAsOf: null,
    progress: initialProgress,
    attempt: 0,
    failures: 0,
    maxFailures: report.maxFailures,
    rowCount: null,
    file: null,
    warnings: [],
    error: null,
    revision: 1,
    deletedAt: null,
    traceparent: report.traceparent,
    requestId: report.requestId ?? null,
    fileOf: report.fileOf ?? null,
    dataSha256: null,
  };
}

/** Returns OTHER for a code of a newer release, and for a warning that an older release stored without a code. */
function warningCodeOf(code: string | undefined): ReportWarningCode {
  return code !== undefined && isReportWarningCode(code) ? code : "OTHER";
}

function toFile(row: ReportRecordRow): ReportFile | null {
  if (row.fileId === null) return null;
  return {
    id: row.fileId,
    fileName: row.fileName!,
    extension: row.fileExtension!,
    contentType: row.fileContentType!,
    sizeBytes: row.fileSizeBytes!,
    sha256: row.fileSha256!,
    columns: row.fileColumns!,
    storageKey: row.fileStorageKey!,
    storedVersion: row.fileStoredVersion,
  };
}
