import type { ReportLane } from "../../base/vocabulary.ts";
import { formatFacts, type ReportFormat } from "../types/format.ts";
import type { Report } from "./report-record.ts";

/** Attempts lost together with a worker before the report runs alone. */
const maxLosses = 2;

/** A report with this many failures left, or fewer, runs alone, because its last attempt must not harm others. */
const failuresLeftAlone = 1;

/** A report of unknown size begins in the quick lane. */
export function firstLane(format: ReportFormat, estimatedRows: number | null): ReportLane {
  return estimatedRows !== null && estimatedRows > formatFacts[format].bulkRows ? "bulk" : "quick";
}

export interface ReportHistory extends Pick<Report, "failures" | "maxFailures"> {
  readonly lane: ReportLane;
  /** Attempts lost together with their worker. */
  readonly losses: number;
}

/** A report runs alone once one failure is left, or its workers died repeatedly, and always from then on. */
export function nextLane({ lane, failures, maxFailures, losses }: ReportHistory): ReportLane {
  return maxFailures - failures <= failuresLeftAlone || losses >= maxLosses ? "suspect" : lane;
}
