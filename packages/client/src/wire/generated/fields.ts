// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import { compressions, orientations, papers, reportFormats, webhookEventTypes } from "./enumerations.ts";

/** What programs need to know of a field that people fill in. */
export interface FieldFacts {
  readonly kind: "choice" | "flag" | "integer" | "list" | "text" | "time";
  /** The values of a choice, or of the items of a list. */
  readonly values?: readonly string[];
  /** The value of a field that is left out. An option has none here if it depends on the report type or the format. */
  readonly byDefault?: string | number | boolean;
  readonly isRequired?: true;
  /** Its title for people, if the words of its name do not say it. */
  readonly title?: string;
}

/** The options of reports. Those that hold objects are left out. */
export const reportOptions = {
  format: { kind: "choice", values: reportFormats },
  csvBom: { kind: "flag", byDefault: true },
  compression: { kind: "choice", values: compressions, byDefault: "none" },
  columns: { kind: "list" },
  sort: { kind: "list" },
  groupBy: { kind: "text" },
  timezone: { kind: "text", byDefault: "UTC" },
  locale: { kind: "text", byDefault: "en" },
  paper: { kind: "choice", values: papers, byDefault: "A4" },
  orientation: { kind: "choice", values: orientations, byDefault: "auto" },
  accessible: { kind: "flag" },
  keepRows: { kind: "flag", byDefault: false },
  title: { kind: "text" },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions by the names above. */
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
    "Language tag (BCP 47); en by default. Decides how pdf writes dates and numbers, and how xlsx writes dates and the numbers within its texts; the numbers of its cells are shown as the reader's program shows numbers. Words stay English, and csv, json and ndjson are the same in every locale.",
  paper: "Paper of a pdf, and on which an xlsx is printed; A4 by default.",
  orientation: "Which way round the pages of a pdf are; auto, the default, is portrait where the columns fit.",
  accessible: "Whether a pdf is tagged (PDF/UA-1, PDF/A-2a); by default up to taggedMaxRows rows, else it is PDF/A-2u.",
  keepRows:
    "Whether a row snapshot is stored with the file, so that additional formats can be made from it; false by default.",
  title: "Title of the report.",
} as const;

/** The fields of a schedule. Those that hold objects are left out. */
export const scheduleFields = {
  name: { kind: "text", isRequired: true },
  reportType: { kind: "text", isRequired: true },
  cron: { kind: "text", title: "Time", isRequired: true },
  timezone: { kind: "text", title: "Time zone" },
  startsAt: { kind: "time" },
  endsAt: { kind: "time" },
  missed: { kind: "choice", values: ["LATEST", "SKIP"], byDefault: "LATEST" },
  missedWithinSeconds: { kind: "integer", byDefault: 3600 },
  overlap: { kind: "choice", values: ["SKIP", "ALLOW"], byDefault: "SKIP" },
  status: { kind: "choice", values: ["ACTIVE", "PAUSED", "ENDED"] },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions by the names above. */
export const scheduleFieldTexts = {
  name: "Name for people.",
  reportType: "The type of its reports; it cannot be changed.",
  cron: "Minute, hour, day of the month, month, day of the week.",
  timezone: "IANA time zone on whose clocks it fires.",
  startsAt: "Before this time it does not fire.",
  endsAt: "After this time it does not fire.",
  missed: "How missed times are treated: times at which no worker was running.",
  missedWithinSeconds: "How many seconds after its time a fire that was missed is still started.",
  overlap: "What to do if the previous report is still running.",
  status: "Whether a schedule is running, is paused until a caller resumes it, or has ended.",
} as const;

/** The fields of a webhook. Those that hold objects are left out. */
export const webhookFields = {
  url: { kind: "text", title: "Address", isRequired: true },
  events: { kind: "list", values: webhookEventTypes, isRequired: true },
  reportTypes: { kind: "list" },
  of: { kind: "choice", values: ["OWN", "ALL"], byDefault: "OWN" },
} as const satisfies Readonly<Record<string, FieldFacts>>;

/** Descriptions by the names above. */
export const webhookFieldTexts = {
  url: "Address that receives events: https on port 443 of a public host, or an address that the deployment allows.",
  events: "Events that it receives, each listed once.",
  reportTypes: "Report types whose events it receives; null for all.",
  of: "OWN: the owner's reports. ALL: the reports of all callers, for holders of REPORTS_ADMIN.",
} as const;

/** The options that a further file of a report takes. */
export const reportFileOptions = [
  "format",
  "csvBom",
  "compression",
  "columns",
  "groupBy",
  "timezone",
  "locale",
  "paper",
  "orientation",
  "accessible",
] as const;
