/** Formats of a report file, in the order in which they are offered. docs/reference/resources/reports.md#options. */
export const reportFormats = ["pdf", "xlsx", "csv", "json", "ndjson"] as const;
/** A format of a report's file. */
export type ReportFormat = (typeof reportFormats)[number];

/** How a file of a compressible format is compressed. */
export const compressions = ["none", "gzip", "zstd"] as const;
/** How a file is compressed on top of its format. */
export type Compression = (typeof compressions)[number];

/** What is true of every file of one format. */
export interface FormatFacts {
  /** Of the file before any compression. */
  readonly mediaType: string;
  /** Of the file before any compression, without the leading dot. */
  readonly extension: string;
  /** Whether it is offered compressed; pdf and xlsx are compressed by themselves. */
  readonly compressible: boolean;
  /** How many rows a file can usefully carry, for report types that set nothing else. */
  readonly maxRows: number;
  /** Rows above which a report is a long one: what the format writes in about two seconds. */
  readonly bulkRows: number;
  /** Whether the file shows figures, charts or attention; computing them takes as long as reading the rows. */
  readonly showsSummary: boolean;
  /** Whether it shows them before it has read the rows: rows that are summed up only as they pass are held until all of them are there. */
  readonly summaryFirst: boolean;
  /**
   * Rows up to which the file describes its structure, so that it can be read aloud and by other programs, where its requester does not
   * say; null for a format that has no such thing.
   */
  readonly taggedMaxRows: number | null;
  /** Whether the groups of `groupBy` get headings of their own, for which that column is read even where it is not shown. */
  readonly showsGroups: boolean;
}

/**
 * All that is known of a format by its name; the way it is written is a renderer's. A pdf of more pages is read by nobody, an xlsx of more
 * sheets opens nowhere; csv, json and ndjson end at the size limit of files instead.
 */
export const formatFacts = {
  pdf: {
    mediaType: "application/pdf",
    extension: "pdf",
    compressible: false,
    maxRows: 100_000,
    bulkRows: 20_000,
    showsSummary: true,
    summaryFirst: true,
    taggedMaxRows: 20_000,
    showsGroups: true,
  },
  xlsx: {
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    extension: "xlsx",
    compressible: false,
    maxRows: 5_000_000,
    bulkRows: 100_000,
    showsSummary: true,
    summaryFirst: false,
    taggedMaxRows: null,
    showsGroups: false,
  },
  csv: {
    mediaType: "text/csv; charset=utf-8",
    extension: "csv",
    compressible: true,
    maxRows: 100_000_000,
    bulkRows: 500_000,
    showsSummary: false,
    summaryFirst: false,
    taggedMaxRows: null,
    showsGroups: false,
  },
  json: {
    mediaType: "application/json",
    extension: "json",
    compressible: true,
    maxRows: 100_000_000,
    bulkRows: 300_000,
    showsSummary: true,
    summaryFirst: false,
    taggedMaxRows: null,
    showsGroups: false,
  },
  ndjson: {
    mediaType: "application/x-ndjson",
    extension: "ndjson",
    compressible: true,
    maxRows: 100_000_000,
    bulkRows: 300_000,
    showsSummary: false,
    summaryFirst: false,
    taggedMaxRows: null,
    showsGroups: false,
  },
} as const satisfies Readonly<Record<ReportFormat, FormatFacts>>;

const compressed = {
  gzip: { extension: "gz", mediaType: "application/gzip" },
  zstd: { extension: "zst", mediaType: "application/zstd" },
} as const satisfies Readonly<Record<Exclude<Compression, "none">, Pick<FormatFacts, "extension" | "mediaType">>>;

/** Formats that are offered compressed, in their order. */
export const compressibleFormats: readonly ReportFormat[] = reportFormats.filter(isCompressible);

/** The row limits of a report type that sets none of its own. */
export const defaultFormatLimits = Object.fromEntries(
  reportFormats.map((format) => [format, { maxRows: formatFacts[format].maxRows }]),
) as Readonly<Record<ReportFormat, Pick<FormatFacts, "maxRows">>>;

/** Whether a format is offered compressed. */
export function isCompressible(format: ReportFormat): boolean {
  return formatFacts[format].compressible;
}

/** Extension of a report's file, without the leading dot: `pdf`, `csv`, `csv.gz`, `ndjson.zst`. */
export function fileExtension(format: ReportFormat, compression: Compression): string {
  const { extension, compressible } = formatFacts[format];
  return compression === "none" || !compressible ? extension : `${extension}.${compressed[compression].extension}`;
}

/** Media type of a file by its extension (the part after the last dot decides); `application/octet-stream` for one that is not ours. */
export function mediaTypeOf(extension: string): string {
  const last = extension.slice(extension.lastIndexOf(".") + 1);
  const known = [...Object.values(formatFacts), ...Object.values(compressed)].find((kind) => kind.extension === last);
  return known?.mediaType ?? "application/octet-stream";
}
