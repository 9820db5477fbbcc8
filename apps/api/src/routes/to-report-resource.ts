import { isTerminal, retryAfterSeconds, type Report } from "@reports/core/report";
import {
  reportFileRecordSchema,
  reportSchema,
  type ReportFileRecord,
  type Report as ReportResource,
} from "@reports/core/wire";
import { createResponseSerializer } from "../resource/record-resource.ts";

export function buildReportPaths(basePath: string, report: Pick<Report, "id" | "reportType" | "file">) {
  const self = `${basePath}/v1/reports/${report.id}`;
  return {
    self,
    download: `${basePath}/v1/report/download?reportType=${encodeURIComponent(report.reportType)}&id=${report.id}`,
    file: report.file === null ? null : `${self}/files/${report.file.id}`,
  };
}

const showReport = createResponseSerializer(reportSchema);
const showFile = createResponseSerializer(reportFileRecordSchema);
const withoutFile = { fileName: null, extension: null, contentType: null, size: null, sha256: null, columns: null };

export function toReportResource(report: Report, basePath: string): ReportResource {
  const { format, ...options } = report.options;
  return showReport({
    ...report,
    format,
    searchParam: report.searchParam as ReportResource["searchParam"],
    searchParamGiven: report.searchParamGiven as ReportResource["searchParam"],
    options: { ...options, columns: [...options.columns], sort: [...options.sort] },
    file: report.file === null ? null : fileResource(report.file),
    links: buildReportPaths(basePath, report),
  });
}

export function toFileRecordResource(record: Report, basePath: string): ReportFileRecord {
  const { file, ...shown } = toReportResource(record, basePath);
  const reportId = record.fileOf ?? shown.id;
  const id = file?.id ?? shown.id;
  const links = { self: `${basePath}/v1/reports/${reportId}/files/${id}` };
  return showFile({ ...shown, ...withoutFile, ...file, id, reportId, links });
}

function fileResource(file: NonNullable<Report["file"]>) {
  const { id, fileName, extension, contentType, sizeBytes, sha256, columns } = file;
  return { id, fileName, extension, contentType, size: sizeBytes, sha256, columns: [...columns] };
}

export function toReportEtag(report: Pick<Report, "revision">): string {
  return `"r${report.revision}"`;
}

/** Returns the header that says when to ask again for a report that is not finished. */
export function retryAfterHeader(report: Report, now: Date): Record<string, string> {
  return isTerminal(report.status) ? {} : { "Retry-After": String(retryAfterSeconds(report, now)) };
}
