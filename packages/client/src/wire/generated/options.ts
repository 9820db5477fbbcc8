// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import { compressions, orientations, papers, reportFormats } from "./enumerations.ts";

/** What programs need to know of an option of reports. */
export interface ReportOptionFacts {
  readonly kind: "choice" | "flag" | "list" | "text";
  /** The values of a choice. */
  readonly values?: readonly string[];
  /** The value of an option that is left out, if it is the same for every report type. */
  readonly byDefault?: string | boolean;
}

/** The options of a start. */
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
} as const satisfies Readonly<Record<string, ReportOptionFacts>>;

/** What the options of a start mean. */
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
  keepRows: "Whether the rows are kept beside the file, so that further files can be made of them; false by default.",
  title: "Title of the report.",
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
