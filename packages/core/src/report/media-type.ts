import type { Compression, ReportFormat } from "./options.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
  json: "application/json",
  ndjson: "application/x-ndjson",
  gz: "application/gzip",
  zst: "application/zstd",
};

/** Whether a format is offered compressed; pdf and xlsx are compressed by themselves. docs/contract.md §2.5. */
export function isCompressible(format: ReportFormat): boolean {
  return format === "csv" || format === "json" || format === "ndjson";
}

/** Extension of a report's file, without the leading dot: `pdf`, `csv`, `csv.gz`, `ndjson.zst`. */
export function fileExtension(format: ReportFormat, compression: Compression): string {
  if (!isCompressible(format) || compression === "none") return format;
  return `${format}.${compression === "gzip" ? "gz" : "zst"}`;
}

/** Media type of a file by its extension (the part after the last dot decides); `application/octet-stream` for one that is not ours. */
export function mediaTypeOf(extension: string): string {
  const last = extension.slice(extension.lastIndexOf(".") + 1);
  return Object.hasOwn(mediaTypes, last) ? mediaTypes[last]! : "application/octet-stream";
}
