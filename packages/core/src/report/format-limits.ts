import type { FormatLimit } from "./report-type.ts";
import type { ReportFormat } from "./options.ts";

/**
 * How many rows a file of each format can usefully carry, for report types that set nothing else. A pdf of more pages is read by nobody,
 * an xlsx of more sheets opens nowhere; csv, json and ndjson end at the size limit of files instead.
 */
export const defaultFormatLimits: Readonly<Record<ReportFormat, FormatLimit>> = {
  pdf: { maxRows: 100_000 },
  xlsx: { maxRows: 5_000_000 },
  csv: { maxRows: 100_000_000 },
  json: { maxRows: 100_000_000 },
  ndjson: { maxRows: 100_000_000 },
};
