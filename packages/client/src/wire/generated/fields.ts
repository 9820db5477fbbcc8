// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import { compressions, languages, orientations, papers, reportFormats, webhookEventTypes } from "./enumerations.ts";

/** Describes a field that people fill in. Programs make flags and form fields from it. */
export interface FieldFacts {
  readonly kind: "choice" | "flag" | "integer" | "list" | "text" | "time";
  /** The values of a field that takes one of them, or a list of them. */
  readonly values?: readonly string[];
  /** The value that the gateway uses if the field is omitted. Undefined if it depends on the report type or the format. */
  readonly byDefault?: string | number | boolean;
  readonly isRequired?: true;
  /** Missing if the words of the field's name are its title. */
  readonly title?: string;
}

/** The options of reports. Fields that hold objects are omitted. */
export const reportOptions = {
  format: { kind: "choice", values: reportFormats },
  csvBom: { kind: "flag", byDefault: true },
  compression: { kind: "choice", values: compressions, byDefault: "none" },
  columns: { kind: "list" },
  sort: { kind: "list" },
  groupBy: { kind: "text" },
  timezone: { kind: "text", byDefault: "UTC" },
  locale: { kind: "text" },
  language: { kind: "choice", values: languages, byDefault: "en" },
  paper: { kind: "choice", values: papers, byDefault: "A4" },
  orientation: { kind: "choice", values: orientations, byDefault: "auto" },
  accessible: { kind: "flag" },
  keepRows: { kind: "flag", byDefault: false },
  title: { kind: "text" },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions of these fields, by the name of the field. */
export const reportOptionTexts = {
  format: "Format of the file; pdf where the type has it.",
  csvBom: "Whether csv begins with a byte order mark; true by default.",
  compression: "Compression of csv, json and ndjson; none by default.",
  columns: "Keys of the columns to show, in their order; by default all, in a pdf those of pdfColumns.",
  sort: "Keys of columns to sort by, - in front for descending.",
  groupBy:
    "Key of the column by which rows are grouped: a pdf shows each group under a heading; in the other formats the rows are sorted by it first, and a warning says so.",
  timezone: "IANA time zone of the times in the file; UTC by default.",
  locale:
    "Language tag (BCP 47); the language by default. Decides how pdf writes dates and numbers, and how xlsx writes dates and the numbers within its texts. The reader's program decides how the numbers of xlsx cells are shown. Names of months have the language. csv, json and ndjson are the same in every locale.",
  language:
    "Language of the words in pdf and xlsx; en by default. Words that the report type does not translate stay English. csv, json and ndjson are the same in every language.",
  paper: "Paper of a pdf, and on which an xlsx is printed; A4 by default.",
  orientation: "Which way round the pages of a pdf are; auto, the default, is portrait where the columns fit.",
  accessible: "Whether a pdf is tagged (PDF/UA-1, PDF/A-2a); by default up to taggedMaxRows rows, else it is PDF/A-2u.",
  keepRows:
    "Whether a row snapshot is stored with the file, so that additional formats can be made from it; false by default.",
  title: "Title of the report; that of the type in the language by default.",
} as const;

/** The fields of a schedule. Fields that hold objects are omitted. */
export const scheduleFields = {
  name: { kind: "text", isRequired: true },
  reportType: { kind: "text", isRequired: true },
  cron: { kind: "text", title: "Time", isRequired: true },
  timezone: { kind: "text", title: "Time zone" },
  startsAt: { kind: "time" },
  endsAt: { kind: "time" },
  missed: { kind: "choice", values: ["LATEST", "SKIP"], byDefault: "LATEST" },
  missedWithinSeconds: { kind: "integer", title: "Seconds a run may be late", byDefault: 3600 },
  overlap: { kind: "choice", values: ["SKIP", "ALLOW"], byDefault: "SKIP" },
  status: { kind: "choice", values: ["ACTIVE", "PAUSED", "ENDED"] },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions of these fields, by the name of the field. */
export const scheduleFieldTexts = {
  name: "Name of the schedule, for people.",
  reportType: "Type of the reports. It cannot be changed.",
  cron: "Cron pattern: minute, hour, day of the month, month, day of the week.",
  timezone: "IANA time zone of the cron pattern.",
  startsAt:
    "The schedule does not run before this time (RFC 3339 with an offset); null if it runs from its creation on.",
  endsAt: "The schedule does not run after this time (RFC 3339 with an offset); null if it runs without an end.",
  missed:
    "Treatment of missed times, at which no worker was running. LATEST: it runs the newest missed time, if that is recent enough (missedWithinSeconds). SKIP: it runs none.",
  missedWithinSeconds: "A missed time is run only if it is at most this many seconds old; from 0 to 604800.",
  overlap:
    "Whether a time is skipped because of unfinished reports of the schedule. SKIP: if there is one. ALLOW: if there are three. Runs by hand are never skipped.",
  status:
    "State of the schedule. ACTIVE: it runs at its times. PAUSED: it does not run until a caller resumes it. ENDED: it has no further time.",
} as const;

/** The fields of a webhook. Fields that hold objects are omitted. */
export const webhookFields = {
  url: { kind: "text", title: "Address", isRequired: true },
  events: { kind: "list", values: webhookEventTypes, isRequired: true },
  reportTypes: { kind: "list" },
  of: { kind: "choice", values: ["OWN", "ALL"], byDefault: "OWN" },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions of these fields, by the name of the field. */
export const webhookFieldTexts = {
  url: "Address that receives events: https on port 443 of a public host, or an address that the deployment allows.",
  events: "Types of events that the webhook receives, each listed once.",
  reportTypes: "Report types whose events the webhook receives; null for all.",
  of: "Reports whose events are sent. OWN: those of the owner. ALL: all reports, for holders of REPORTS_ADMIN.",
} as const;

/** The options of an additional format of a report. */
export const reportFileOptions = [
  "format",
  "csvBom",
  "compression",
  "columns",
  "groupBy",
  "timezone",
  "locale",
  "language",
  "paper",
  "orientation",
  "accessible",
] as const;

/** A certificate is CRITICAL or WARN if its remaining time is below the threshold. The threshold is this fraction of its lifetime, but at least floorDays and at most ceilingDays. docs/reference/resources/domains.md#derived-values. */
export const severityThresholds = {
  CRITICAL: { ceilingDays: 3, lifetimeNumerator: 1, lifetimeDenominator: 10, floorDays: 1 },
  WARN: { ceilingDays: 14, lifetimeNumerator: 1, lifetimeDenominator: 3, floorDays: 7 },
} as const;
