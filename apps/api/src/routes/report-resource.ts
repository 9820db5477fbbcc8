import { compressions, progressPhases, reportErrorCodes, reportFormats, reportStatuses } from "@reports/core";
import type { Report, ReportCatalogue, ReportErrorCode } from "@reports/core";
import { z } from "zod";

const time = z.iso.datetime();
const id = z.uuidv7();

/** One of the types that there are, for the documentation. */
export function reportTypeSchemaOf(catalogue: ReportCatalogue): z.ZodType<string> {
  return z.enum(catalogue.list().map(({ type }) => type)).meta({ description: "The type of the report." });
}

/** The file of a report as callers see it. docs/contract.md §4.3. */
export const reportFileSchema = z
  .strictObject({
    id,
    fileName: z.string(),
    extension: z.string(),
    contentType: z.string(),
    size: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    columns: z.array(z.string()),
  })
  .meta({ id: "ReportFile" });

/** The report record as callers see it. docs/contract.md §4.3. */
export const reportSchema = z
  .strictObject({
    id,
    reportType: z.string(),
    title: z.string(),
    status: z.enum(reportStatuses),
    format: z.enum(reportFormats),
    searchParam: z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
    ),
    options: z.strictObject({
      csvBom: z.boolean(),
      compression: z.enum(compressions),
      columns: z.array(z.string()),
      sort: z.array(z.string()),
      groupBy: z.string().nullable(),
      timezone: z.string(),
      locale: z.string(),
    }),
    requestedBy: z.string(),
    createdAt: time,
    startedAt: time.nullable(),
    finishedAt: time.nullable(),
    updatedAt: time,
    expiresAt: time.nullable(),
    dataAsOf: time.nullable(),
    progress: z.strictObject({
      phase: z.enum(progressPhases),
      rowsDone: z.int().min(0),
      rowsTotal: z.int().min(0).nullable(),
      percent: z.number().min(0).max(100).nullable(),
    }),
    attempt: z.int().min(0),
    failures: z.int().min(0),
    maxFailures: z.int().min(1),
    rowCount: z.int().min(0).nullable(),
    file: reportFileSchema.nullable(),
    warnings: z.array(z.string()),
    error: z
      .strictObject({
        code: z.enum(Object.keys(reportErrorCodes) as [ReportErrorCode, ...ReportErrorCode[]]),
        detail: z.string(),
        retryable: z.boolean(),
      })
      .nullable(),
    links: z.strictObject({ self: z.string(), download: z.string(), file: z.string().nullable() }),
  })
  .meta({ id: "Report" });

/** The same after a literal start, which says whether an earlier report is given back. */
export const startedReportSchema = reportSchema.extend({ reused: z.boolean() }).meta({ id: "StartedReport" });

/** Paths of one report, with the base path in front. */
export function reportLinks(basePath: string, report: Pick<Report, "id" | "reportType" | "file">) {
  const self = `${basePath}/v1/reports/${report.id}`;
  return {
    self,
    download: `${basePath}/v1/report/download?reportType=${encodeURIComponent(report.reportType)}&id=${report.id}`,
    file: report.file === null ? null : `${self}/files/${report.file.id}`,
  };
}

/** Shows a report to callers: what the store knows, without where its file lies. */
export function reportResource(report: Report, basePath: string): z.input<typeof reportSchema> {
  const { format, ...options } = report.options;
  return {
    id: report.id,
    reportType: report.reportType,
    title: report.title,
    status: report.status,
    format,
    searchParam: report.searchParam as z.input<typeof reportSchema>["searchParam"],
    options: { ...options, columns: [...options.columns], sort: [...options.sort] },
    requestedBy: report.requestedBy,
    createdAt: report.createdAt.toISOString(),
    startedAt: report.startedAt?.toISOString() ?? null,
    finishedAt: report.finishedAt?.toISOString() ?? null,
    updatedAt: report.updatedAt.toISOString(),
    expiresAt: report.expiresAt?.toISOString() ?? null,
    dataAsOf: report.dataAsOf?.toISOString() ?? null,
    progress: { ...report.progress },
    attempt: report.attempt,
    failures: report.failures,
    maxFailures: report.maxFailures,
    rowCount: report.rowCount,
    file: report.file === null ? null : fileResource(report.file),
    warnings: [...report.warnings],
    error: report.error === null ? null : { ...report.error },
    links: reportLinks(basePath, report),
  };
}

function fileResource(file: NonNullable<Report["file"]>) {
  const { id, fileName, extension, contentType, sizeBytes, sha256, columns } = file;
  return { id, fileName, extension, contentType, size: sizeBytes, sha256, columns: [...columns] };
}

/** Strong entity tag of a record: its revision grows with every change. */
export function reportEtag(report: Pick<Report, "revision">): string {
  return `"r${report.revision}"`;
}

const retrySteps = [
  { untilSeconds: 5, waitSeconds: 1 },
  { untilSeconds: 15, waitSeconds: 2 },
  { untilSeconds: 60, waitSeconds: 5 },
  { untilSeconds: 180, waitSeconds: 10 },
  { untilSeconds: 600, waitSeconds: 15 },
] as const;

/** How long a caller is to wait before it asks again, in seconds: longer, the older the report. docs/contract.md §4.4. */
export function retryAfterSeconds(report: Pick<Report, "createdAt">, now: Date): number {
  const ageSeconds = (now.getTime() - report.createdAt.getTime()) / 1000;
  return retrySteps.find(({ untilSeconds }) => ageSeconds < untilSeconds)?.waitSeconds ?? 30;
}
