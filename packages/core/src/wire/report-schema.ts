import { z } from "zod";
import { keysOf } from "../base/keys-of.ts";
import {
  reportErrorCodes,
  progressPhases,
  reportStatuses,
  reportWarningCodes,
  reportWarnings,
} from "../base/vocabulary.ts";
import { describeMeanings } from "../record/choice-field.ts";
import { choiceField } from "./named-choices.ts";
import { idField } from "../query/id-field.ts";
import { normalisedSearchParamSchema } from "../report/request/stored-search-param.ts";
import { storedOptionFields } from "../report/types/options.ts";

function timeSchema(description: string) {
  return z.iso.datetime().meta({ description });
}

export function countSchema(description: string) {
  return z.int().min(0).meta({ description });
}

/** Schema of a report ID in a path or a response. */
export const reportIdSchema = idField("Id of the report.");

export const reportFileSchema = z
  .strictObject({
    id: idField("ID of the file, for the path of its download."),
    fileName: z.string().meta({ description: "Name of the file when it is downloaded." }),
    extension: z
      .string()
      .meta({ description: "Extension of the file name without the leading dot, such as pdf or csv.gz." }),
    contentType: z.string().meta({ description: "Media type of the file." }),
    size: countSchema("Size of the file in bytes."),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: "SHA-256 of the file." }),
    columns: z.array(z.string()).meta({
      description: "Keys of the requested columns, or else of the default columns, in the order of the file.",
    }),
  })
  .meta({ id: "ReportFile", description: "The file of a SUCCEEDED report." });

/** The file of a report as callers see it. docs/reference/resources/reports.md#fields. */
export type ReportFile = z.output<typeof reportFileSchema>;

// The format is a separate field of the report, so it is not among the options.
const { format, ...optionFields } = storedOptionFields;

const optionsSchema = z.strictObject(optionFields).meta({
  id: "ReportOptions",
  description: "Options of the file: how it shows the rows. Options that were not given have their defaults.",
});

const progressSchema = z
  .strictObject({
    phase: choiceField(progressPhases),
    rowsDone: countSchema("Number of rows that are written to the file so far."),
    rowsTotal: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "Number of rows that the file will have; null while it is unknown." }),
    percent: z.int().min(0).max(100).nullable().meta({
      description:
        "Progress in percent: 100 if the report is SUCCEEDED or EXPIRED, else at most 99. Null while rowsTotal is unknown.",
    }),
  })
  .meta({ id: "ReportProgress", description: "Progress of a report. It never decreases within an attempt." });

/** Progress of a report. docs/reference/resources/reports.md#fields. */
export type ReportProgress = z.output<typeof progressSchema>;

const errorSchema = z
  .strictObject({
    code: z
      .enum(keysOf(reportErrorCodes))
      .meta({ id: "ReportErrorCode", description: "Why the report failed. Later versions can add codes." }),
    detail: z.string().meta({ description: "The failure in words, for the requester." }),
    retryable: z.boolean().meta({ description: "Whether a new start of the same report can succeed." }),
  })
  .meta({ id: "ReportError", description: "Why a report failed." });

const warningSchema = z
  .strictObject({
    code: z.enum(reportWarningCodes).meta({
      id: "ReportWarningCode",
      description: `${describeMeanings(reportWarnings)} Later versions can add codes.`,
    }),
    message: z
      .string()
      .meta({ description: "The warning in words, for people: English sentences, with numbers in plain digits." }),
  })
  .meta({ id: "ReportWarning", description: "A warning for readers of the file." });

const linksSchema = z
  .strictObject({
    self: z.string().meta({ description: "Path of the report's record." }),
    download: z.string().meta({ description: "Path of the download, by report type and report ID." }),
    file: z
      .string()
      .nullable()
      .meta({ description: "Path of the download, by file ID. Null unless the report has a file." }),
  })
  .meta({
    id: "ReportLinks",
    description: "Paths. They begin with the path prefix under which the service is reached.",
  });

/** The report record as callers see it. docs/reference/resources/reports.md#fields. */
export const reportSchema = z
  .strictObject({
    id: reportIdSchema,
    reportType: z.string().meta({ description: "The type of the report." }),
    title: z.string().meta({ description: "Title of the report, as the file shows it." }),
    status: choiceField(reportStatuses),
    format,
    searchParam: normalisedSearchParamSchema.meta({
      description: "Filters by name, in their normal form. Relative times are resolved.",
    }),
    searchParamGiven: normalisedSearchParamSchema.meta({
      description: "The same filters, with relative times as they were written in the start.",
    }),
    options: optionsSchema,
    requestedBy: z.string().meta({
      description:
        "The principal that the report belongs to: the caller that started it, or the owner of its schedule.",
    }),
    scheduleId: idField("The schedule that the report belongs to; null if no schedule started it.").nullable(),
    createdAt: timeSchema("When the report was requested."),
    startedAt: timeSchema("When a worker first claimed the report; null before.").nullable(),
    finishedAt: timeSchema("When the report ended; null before.").nullable(),
    updatedAt: timeSchema("When the record last changed. Progress counts as a change."),
    revision: z.int().min(1).meta({
      description:
        "Number that increases with every change of the record. A response or event with a higher number is later than one with a lower number.",
    }),
    expiresAt: timeSchema("When the file is removed; null before the report is SUCCEEDED.").nullable(),
    dataAsOf: timeSchema("The time as of which the rows were read; null before.").nullable(),
    dataSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable()
      .meta({
        description:
          "SHA-256 of the rows, if the report has a row snapshot. Two reports of one type and version have the same value if their rows are the same, in the same order.",
      }),
    progress: progressSchema,
    attempt: countSchema("Number of the latest attempt: how often workers have claimed the report."),
    failures: countSchema(
      "Number of attempts that may have ended because of the report itself, such as by a crash of its renderer.",
    ),
    maxFailures: z.int().min(1).meta({ description: "The number of failures after which the report is FAILED." }),
    rowCount: z.int().min(0).nullable().meta({ description: "Number of rows in the file; null while it is unknown." }),
    file: reportFileSchema.nullable().meta({ description: "The file; null unless the report is SUCCEEDED." }),
    warnings: z.array(warningSchema).meta({ description: "Warnings for readers of the file." }),
    error: errorSchema.nullable().meta({ description: "Why the report failed; null unless it is FAILED." }),
    links: linksSchema,
  })
  .meta({
    id: "Report",
    description: "A report: file is set exactly when it has SUCCEEDED, error when it has FAILED.",
  });

/** The report record as callers see it: times are RFC 3339 in UTC. docs/reference/resources/reports.md#fields. */
export type Report = z.output<typeof reportSchema>;

const { id: fileId, ...fileFields } = reportFileSchema.shape;
const nullWithoutFile = <Field extends z.ZodType>(field: Field) => field.nullable();

/** A file of a report as callers see it: its main file, or an additional format. It has its own state and attempts. docs/reference/resources/report-files.md#additional-formats. */
export const reportFileRecordSchema = z
  .strictObject({
    id: fileId,
    reportId: idField("The report to which the file belongs."),
    status: choiceField(reportStatuses).meta({ description: "State of the file." }),
    format,
    options: optionsSchema,
    requestedBy: z.string().meta({ description: "The principal that requested the file." }),
    createdAt: timeSchema("When the file was requested."),
    startedAt: timeSchema("When a worker first claimed the file; null before.").nullable(),
    finishedAt: timeSchema(
      "When the file was finished, or its making failed or was cancelled; null before.",
    ).nullable(),
    expiresAt: timeSchema("When the file is removed: at the same time as all files of the report.").nullable(),
    progress: progressSchema.meta({ description: "Progress of the file. It never decreases within an attempt." }),
    attempt: countSchema("Number of the latest attempt: how often workers have claimed the file."),
    rowCount: z.int().min(0).nullable().meta({ description: "Number of rows in the file; null while it is unknown." }),
    fileName: nullWithoutFile(fileFields.fileName),
    extension: nullWithoutFile(fileFields.extension),
    contentType: nullWithoutFile(fileFields.contentType),
    size: nullWithoutFile(fileFields.size),
    sha256: nullWithoutFile(fileFields.sha256),
    columns: nullWithoutFile(fileFields.columns),
    warnings: z.array(warningSchema).meta({ description: "Warnings for readers of the file." }),
    error: errorSchema.nullable().meta({ description: "Why making the file failed; null unless it is FAILED." }),
    links: z.strictObject({ self: z.string().meta({ description: "Path of the download." }) }).meta({
      id: "ReportFileLinks",
      description: "Paths. They begin with the path prefix under which the service is reached.",
    }),
  })
  .meta({
    id: "ReportFileRecord",
    description:
      "A file of a report. Fields that describe the bytes are set exactly if it is SUCCEEDED, and error if it is FAILED. Times are RFC 3339 in UTC.",
  });

/** A file of a report as callers see it. docs/reference/resources/report-files.md#additional-formats. */
export type ReportFileRecord = z.output<typeof reportFileRecordSchema>;

/** The response to a start. `reused` says whether it is an earlier, unfinished report. docs/reference/resources/reports.md#states. */
export const startedReportSchema = reportSchema
  .extend({
    reused: z.boolean().meta({
      description: "Whether the response is an earlier, unfinished report of the same caller instead of a new one.",
    }),
  })
  .meta({
    id: "StartedReport",
    description: "A report that was started now, or an unfinished one that was started earlier.",
  });

/** The response to a start. docs/reference/resources/reports.md#states. */
export type StartedReport = z.output<typeof startedReportSchema>;
