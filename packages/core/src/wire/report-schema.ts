import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import {
  reportErrorCodes,
  progressPhases,
  reportStatuses,
  reportWarningCodes,
  reportWarnings,
} from "../base/vocabulary.ts";
import { choiceField } from "./named-choices.ts";
import { idField } from "../query/id-field.ts";
import { storedSearchParamSchema } from "../report/request/stored-search-param.ts";
import { storedOptionFields } from "../report/types/options.ts";

function time(description: string) {
  return z.iso.datetime().meta({ description });
}

/** The id of a report in a path, for the documentation. */
export const reportIdSchema = idField("Id of the report.");

/** The file of a report as callers see it. docs/reference/resources/reports.md#fields. */
export const reportFileSchema = z
  .strictObject({
    id: idField("Part of the path of the download."),
    fileName: z.string().meta({ description: "The name under which it is downloaded." }),
    extension: z.string().meta({ description: "Without the leading dot: pdf, csv.gz." }),
    contentType: z.string().meta({ description: "Its media type." }),
    size: z.int().min(0).meta({ description: "In bytes." }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of its bytes." }),
    columns: z
      .array(z.string())
      .meta({ description: "Keys of the requested columns, or of the default ones, in their order." }),
  })
  .meta({ id: "ReportFile", description: "The file of a report that has succeeded." });

/** The file of a report as callers see it. docs/reference/resources/reports.md#fields. */
export type ReportFile = z.output<typeof reportFileSchema>;

// The format is a separate field.
const { format, ...optionFields } = storedOptionFields;

const optionsSchema = z
  .strictObject(optionFields)
  .meta({ id: "ReportOptions", description: "How the rows are shown, every default filled in." });

const progressSchema = z
  .strictObject({
    phase: choiceField(progressPhases),
    rowsDone: z.int().min(0).meta({ description: "Rows that were written to the file so far." }),
    rowsTotal: z.int().min(0).nullable().meta({ description: "Null while it is not known." }),
    percent: z.int().min(0).max(100).nullable().meta({
      description:
        "Up to 99 while the report is open. 100 exactly when it has SUCCEEDED, also once it is EXPIRED. Null while rowsTotal is not known.",
    }),
  })
  .meta({ id: "ReportProgress", description: "How far a report is; never backwards within an attempt." });

/** How far a report is. docs/reference/resources/reports.md#fields. */
export type ReportProgress = z.output<typeof progressSchema>;

const errorSchema = z
  .strictObject({
    code: z
      .enum(keysOf(reportErrorCodes))
      .meta({ id: "ReportErrorCode", description: "Why a report failed. Later versions add more." }),
    detail: z.string().meta({ description: "Description of the failure, for the requester." }),
    retryable: z.boolean().meta({ description: "Whether starting it again may help." }),
  })
  .meta({ id: "ReportError", description: "Why a report failed." });

const warningSchema = z
  .strictObject({
    code: z.enum(reportWarningCodes).meta({
      id: "ReportWarningCode",
      description: `${Object.entries(reportWarnings)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join(" ")} Later versions add more.`,
    }),
    message: z.string().meta({ description: "For people: English sentences, numbers in plain digits." }),
  })
  .meta({ id: "ReportWarning", description: "A note for readers of a report's file." });

const linksSchema = z
  .strictObject({
    self: z.string().meta({ description: "The report." }),
    download: z.string().meta({ description: "Its file by report type and id." }),
    file: z.string().nullable().meta({ description: "Its file, once there is one." }),
  })
  .meta({ id: "ReportLinks", description: "Paths, with the base path in front." });

/** The report record as callers see it. docs/reference/resources/reports.md#fields. */
export const reportSchema = z
  .strictObject({
    id: reportIdSchema,
    reportType: z.string().meta({ description: "The type of the report." }),
    title: z.string().meta({ description: "The title in the file." }),
    status: choiceField(reportStatuses),
    format,
    searchParam: storedSearchParamSchema,
    searchParamGiven: storedSearchParamSchema,
    options: optionsSchema,
    requestedBy: z.string().meta({ description: "The principal that requested it." }),
    scheduleId: idField("The schedule that started it.").nullable(),
    createdAt: time("Time of the request."),
    startedAt: time("When it was claimed first.").nullable(),
    finishedAt: time("When it ended.").nullable(),
    updatedAt: time("When the record last changed. Progress is such a change."),
    revision: z.int().min(1).meta({
      description: "Increases with every change of the record: a later response or event has a higher number.",
    }),
    expiresAt: time("When its file is removed.").nullable(),
    dataAsOf: time("The time as of which its data were read.").nullable(),
    dataSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description:
          "SHA-256 of its rows where they were kept: two reports of one type and version whose rows are the same, in the same order, have the same.",
      }),
    progress: progressSchema,
    attempt: z.int().min(0).meta({ description: "How often it was claimed." }),
    failures: z.int().min(0).meta({ description: "How often its process crashed or ran out of memory." }),
    maxFailures: z.int().min(1).meta({ description: "The number of failures after which the report is FAILED." }),
    rowCount: z.int().min(0).nullable().meta({ description: "Rows in the file." }),
    file: reportFileSchema.nullable(),
    warnings: z.array(warningSchema).meta({ description: "Notes for readers of the file." }),
    error: errorSchema.nullable(),
    links: linksSchema,
  })
  .meta({
    id: "Report",
    description: "A report: file is set exactly when it has SUCCEEDED, error when it has FAILED.",
  });

/** The report record as callers see it: times are RFC 3339 in UTC. docs/reference/resources/reports.md#fields. */
export type Report = z.output<typeof reportSchema>;

const { id: fileId, ...fileFields } = reportFileSchema.shape;
const ofFile = <Field extends z.ZodType>(field: Field) => field.nullable();

/** A file of a report with its own life, as callers see it: the report's own, or a further one. docs/reference/resources/report-files.md#additional-formats. */
export const reportFileRecordSchema = z
  .strictObject({
    id: fileId,
    reportId: idField("The report that it is of."),
    status: choiceField(reportStatuses),
    format,
    options: optionsSchema,
    requestedBy: z.string().meta({ description: "The principal that requested it." }),
    createdAt: time("Time of the request."),
    startedAt: time("When it was claimed first.").nullable(),
    finishedAt: time("When it ended.").nullable(),
    expiresAt: time("When it is removed.").nullable(),
    progress: progressSchema,
    attempt: z.int().min(0).meta({ description: "How often it was claimed." }),
    rowCount: z.int().min(0).nullable().meta({ description: "Rows in the file." }),
    fileName: ofFile(fileFields.fileName),
    extension: ofFile(fileFields.extension),
    contentType: ofFile(fileFields.contentType),
    size: ofFile(fileFields.size),
    sha256: ofFile(fileFields.sha256),
    columns: ofFile(fileFields.columns),
    warnings: z.array(warningSchema).meta({ description: "Notes for readers of the file." }),
    error: errorSchema.nullable(),
    links: z
      .strictObject({ self: z.string().meta({ description: "Its download." }) })
      .meta({ id: "ReportFileLinks", description: "Paths, with the base path in front." }),
  })
  .meta({
    id: "ReportFileRecord",
    description:
      "A file of a report. Fields that describe the bytes are set exactly if it is SUCCEEDED, and error if it is FAILED. Times are RFC 3339 in UTC.",
  });

/** A file of a report as callers see it. docs/reference/resources/report-files.md#additional-formats. */
export type ReportFileRecord = z.output<typeof reportFileRecordSchema>;

/** The same after a start, which says whether an earlier report is given back. */
export const startedReportSchema = reportSchema
  .extend({ reused: z.boolean().meta({ description: "Whether it is an earlier report of the same caller." }) })
  .meta({ id: "StartedReport", description: "A report that was started, or one that was under way already." });

/** The response to a start. docs/reference/resources/reports.md#states. */
export type StartedReport = z.output<typeof startedReportSchema>;
