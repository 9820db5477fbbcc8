/** Formats of a report's file, in the order in which they are offered. docs/reference/resources/reports.md#options. */
export const reportFormats = ["pdf", "xlsx", "csv", "json", "ndjson"] as const;
/** A format of a report's file. */
export type ReportFormat = (typeof reportFormats)[number];

/** Compressions of a file. pdf and xlsx have only `none`. */
export const compressions = ["none", "gzip", "zstd"] as const;
/** Compression of a file. */
export type Compression = (typeof compressions)[number];

export interface FormatProperties {
  readonly mediaType: string;
  readonly extension: string;
  readonly compressible: boolean;
  readonly maxRows: number;
  /** Number of rows that the format writes in about two seconds. Reports with more rows go to the lane `bulk`. */
  readonly bulkRows: number;
  /** Whether the file shows figures, charts or the attention list. Computing these takes as long as reading the rows. */
  readonly showsSummary: boolean;
  /** Whether the file shows its summary before the rows. If the summary is computed while rows are read, the rows are held until all are read. */
  readonly summaryFirst: boolean;
  /** Default limit of rows up to which the file is tagged for screen readers and other programs; null if the format has no tags. */
  readonly taggedMaxRows: number | null;
  /** Whether groups of `groupBy` get headings. The column of `groupBy` is then read even if it is not shown. */
  readonly showsGroups: boolean;
  /** Whether values link to the URL in another column (`link` of a column). The column with the URLs is then read even if it is not shown. */
  readonly showsLinks: boolean;
  /** Whether the file shows the subtotals of groups. The columns of the subtotals are then read even if the file does not show them. */
  readonly showsSubtotals: boolean;
}

/** Properties of csv, json and ndjson, the formats for programs. */
const programFormat = {
  compressible: true,
  maxRows: 100_000_000,
  showsSummary: false,
  summaryFirst: false,
  taggedMaxRows: null,
  showsGroups: false,
  showsLinks: false,
  showsSubtotals: false,
} as const;

/** Above their row limits, pdf and xlsx files are too large to be useful. Files in csv, json and ndjson reach the limit of file sizes first. */
export const formatProperties = {
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
    showsLinks: true,
    showsSubtotals: true,
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
    showsLinks: true,
    showsSubtotals: true,
  },
  csv: { ...programFormat, mediaType: "text/csv; charset=utf-8", extension: "csv", bulkRows: 500_000 },
  json: {
    ...programFormat,
    mediaType: "application/json",
    extension: "json",
    bulkRows: 300_000,
    showsSummary: true,
    showsSubtotals: true,
  },
  ndjson: { ...programFormat, mediaType: "application/x-ndjson", extension: "ndjson", bulkRows: 300_000 },
} as const satisfies Readonly<Record<ReportFormat, FormatProperties>>;

const compressionInfo = {
  gzip: { extension: "gz", mediaType: "application/gzip" },
  zstd: { extension: "zst", mediaType: "application/zstd" },
} as const satisfies Readonly<Record<Exclude<Compression, "none">, Pick<FormatProperties, "extension" | "mediaType">>>;

export const compressibleFormats: readonly ReportFormat[] = reportFormats.filter(isCompressible);

export const defaultFormatLimits = Object.fromEntries(
  reportFormats.map((format) => [format, { maxRows: formatProperties[format].maxRows }]),
) as Readonly<Record<ReportFormat, Pick<FormatProperties, "maxRows">>>;

export function isCompressible(format: ReportFormat): boolean {
  return formatProperties[format].compressible;
}

/** Returns the extension of a file without the dot, such as `pdf`, `csv` or `csv.gz`. */
export function fileExtension(format: ReportFormat, compression: Compression): string {
  const { extension, compressible } = formatProperties[format];
  return compression === "none" || !compressible ? extension : `${extension}.${compressionInfo[compression].extension}`;
}

/** Returns the media type of an extension, by its last part; `application/octet-stream` for an unknown one. */
export function mediaTypeOf(extension: string): string {
  const last = extension.slice(extension.lastIndexOf(".") + 1);
  const known = [...Object.values(formatProperties), ...Object.values(compressionInfo)].find(
    (kind) => kind.extension === last,
  );
  return known?.mediaType ?? "application/octet-stream";
}
