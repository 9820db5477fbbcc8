import type { Report } from "@reports/core/report";
import type { ReportFileRecord, Report as ReportResource } from "@reports/core/wire";

export function buildReportPaths(basePath: string, report: Pick<Report, "id" | "reportType" | "file">) {
  const self = `${basePath}/v1/reports/${report.id}`;
  return {
    self,
    download: `${basePath}/v1/report/download?reportType=${encodeURIComponent(report.reportType)}&id=${report.id}`,
    file: report.file === null ? null : `${self}/files/${report.file.id}`,
  };
}

export function toReportResource(report: Report, basePath: string): ReportResource {
  const { format, ...options } = report.options;
  return {
    id: report.id,
    reportType: report.reportType,
    title: report.title,
    status: report.status,
    format,
    searchParam: report.searchParam as ReportResource["searchParam"],
    searchParamGiven: report.searchParamGiven as ReportResource["searchParam"],
    options: { ...options, columns: [...options.columns], sort: [...options.sort] },
    requestedBy: report.requestedBy,
    scheduleId: report.scheduleId,
    createdAt: report.createdAt.toISOString(),
    startedAt: report.startedAt?.toISOString() ?? null,
    finishedAt: report.finishedAt?.toISOString() ?? null,
    updatedAt: report.updatedAt.toISOString(),
    revision: report.revision,
    expiresAt: report.expiresAt?.toISOString() ?? null,
    dataAsOf: report.dataAsOf?.toISOString() ?? null,
    dataSha256: report.dataSha256,
    progress: { ...report.progress },
    attempt: report.attempt,
    failures: report.failures,
    maxFailures: report.maxFailures,
    rowCount: report.rowCount,
    file: report.file === null ? null : fileResource(report.file),
    warnings: report.warnings.map((warning) => ({ ...warning })),
    error: report.error === null ? null : { ...report.error },
    links: buildReportPaths(basePath, report),
  };
}

export function toFileRecordResource(record: Report, basePath: string): ReportFileRecord {
  const { id, status, format, options, requestedBy, createdAt, startedAt, finishedAt, expiresAt, ...rest } =
    toReportResource(record, basePath);
  const { file, progress, attempt, rowCount, warnings, error } = rest;
  const reportId = record.fileOf ?? id;
  const fileId = file?.id ?? id;
  return {
    id: fileId,
    reportId,
    status,
    format,
    options,
    requestedBy,
    createdAt,
    startedAt,
    finishedAt,
    expiresAt,
    progress,
    attempt,
    rowCount,
    warnings,
    error,
    fileName: file?.fileName ?? null,
    extension: file?.extension ?? null,
    contentType: file?.contentType ?? null,
    size: file?.size ?? null,
    sha256: file?.sha256 ?? null,
    columns: file?.columns ?? null,
    links: { self: `${basePath}/v1/reports/${reportId}/files/${fileId}` },
  };
}

function fileResource(file: NonNullable<Report["file"]>) {
  const { id, fileName, extension, contentType, sizeBytes, sha256, columns } = file;
  return { id, fileName, extension, contentType, size: sizeBytes, sha256, columns: [...columns] };
}

export function toReportEtag(report: Pick<Report, "revision">): string {
  return `"r${report.revision}"`;
}
