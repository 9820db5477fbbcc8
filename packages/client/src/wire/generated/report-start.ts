// Written by `pnpm generate client-enumerations` from the schemas of the wire.
import type { Compression, Language, Orientation, Paper, ReportFormat } from "./enumerations.ts";
import type { NormalisedSearchParam } from "./report.ts";

/** A report to start. A null option counts as omitted. */
export interface ReportStart {
  /** The type of the report. */
  readonly reportType: string;
  /** Filters by name, or a text to search for. */
  readonly searchParam?: NormalisedSearchParam | string | null | undefined;
  /** Format of the file; pdf where the type has it. */
  readonly format?: ReportFormat | null | undefined;
  /** Whether csv begins with a byte order mark; true by default. */
  readonly csvBom?: boolean | null | undefined;
  /** Compression of csv, json and ndjson; none by default. */
  readonly compression?: Compression | null | undefined;
  /** Keys of the columns to show, in their order; by default all, in a pdf those of pdfColumns. */
  readonly columns?: readonly string[] | null | undefined;
  /** Keys of columns to sort by, - in front for descending. */
  readonly sort?: readonly string[] | null | undefined;
  /**
   * Key of the column by which rows are grouped: a pdf shows each group under a heading; in the other formats the rows
   * are sorted by it first, and a warning says so.
   */
  readonly groupBy?: string | null | undefined;
  /** IANA time zone of the times in the file; UTC by default. */
  readonly timezone?: string | null | undefined;
  /**
   * Language tag (BCP 47); the language by default. Decides how pdf writes dates and numbers, and how xlsx writes dates
   * and the numbers within its texts. The reader's program decides how the numbers of xlsx cells are shown. Names of
   * months have the language. csv, json and ndjson are the same in every locale.
   */
  readonly locale?: string | null | undefined;
  /**
   * Language of the words in pdf and xlsx; en by default. Words that the report type does not translate stay English.
   * csv, json and ndjson are the same in every language.
   */
  readonly language?: Language | null | undefined;
  /** Paper of a pdf, and on which an xlsx is printed; A4 by default. */
  readonly paper?: Paper | null | undefined;
  /** Which way round the pages of a pdf are; auto, the default, is portrait where the columns fit. */
  readonly orientation?: Orientation | null | undefined;
  /** Whether a pdf is tagged (PDF/UA-1, PDF/A-2a); by default up to taggedMaxRows rows, else it is PDF/A-2u. */
  readonly accessible?: boolean | null | undefined;
  /**
   * Whether a row snapshot is stored with the file, so that additional formats can be made from it; false by default.
   */
  readonly keepRows?: boolean | null | undefined;
  /** Title of the report; that of the type in the language by default. */
  readonly title?: string | null | undefined;
}

/**
 * An additional format to make from the row snapshot of a report. Omitted options are those of the report, except
 * `compression`.
 */
export interface ReportFileStart {
  readonly format: ReportFormat;
  /** Whether csv begins with a byte order mark; true by default. */
  readonly csvBom?: boolean | null | undefined;
  /** Compression of csv, json and ndjson; none by default. */
  readonly compression?: Compression | null | undefined;
  /** Keys of the columns to show, in their order; by default all, in a pdf those of pdfColumns. */
  readonly columns?: readonly string[] | null | undefined;
  /**
   * Key of the column by which rows are grouped: a pdf shows each group under a heading; in the other formats the rows
   * are sorted by it first, and a warning says so.
   */
  readonly groupBy?: string | null | undefined;
  /** IANA time zone of the times in the file; UTC by default. */
  readonly timezone?: string | null | undefined;
  /**
   * Language tag (BCP 47); the language by default. Decides how pdf writes dates and numbers, and how xlsx writes dates
   * and the numbers within its texts. The reader's program decides how the numbers of xlsx cells are shown. Names of
   * months have the language. csv, json and ndjson are the same in every locale.
   */
  readonly locale?: string | null | undefined;
  /**
   * Language of the words in pdf and xlsx; en by default. Words that the report type does not translate stay English.
   * csv, json and ndjson are the same in every language.
   */
  readonly language?: Language | null | undefined;
  /** Paper of a pdf, and on which an xlsx is printed; A4 by default. */
  readonly paper?: Paper | null | undefined;
  /** Which way round the pages of a pdf are; auto, the default, is portrait where the columns fit. */
  readonly orientation?: Orientation | null | undefined;
  /** Whether a pdf is tagged (PDF/UA-1, PDF/A-2a); by default up to taggedMaxRows rows, else it is PDF/A-2u. */
  readonly accessible?: boolean | null | undefined;
}
