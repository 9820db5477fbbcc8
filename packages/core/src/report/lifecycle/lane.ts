import type { ReportLane } from "../../base/vocabulary.ts";
import { formatFacts, type ReportFormat } from "../types/format.ts";
import type { Report } from "./report-record.ts";

/** Number of losses after which a report is quarantined. A loss is an attempt whose worker died. */
const maxLosses = 2;

/** A report with at most this many failures left is quarantined, so that its last attempt cannot harm other reports. */
const quarantineFailuresLeft = 1;

/** Returns the lane of a new report: `bulk` if it is estimated to have many rows, else `quick`. */
export function laneOfNewReport(format: ReportFormat, estimatedRows: number | null): ReportLane {
  return estimatedRows !== null && estimatedRows > formatFacts[format].bulkRows ? "bulk" : "quick";
}

export interface ReportHistory extends Pick<Report, "failures" | "maxFailures"> {
  readonly lane: ReportLane;
  /** Number of attempts whose worker died. */
  readonly losses: number;
}

/** Returns the lane of the next attempt. With one failure left or after two losses, this is the quarantine lane, which the report does not leave again. */
export function nextLane({ lane, failures, maxFailures, losses }: ReportHistory): ReportLane {
  return maxFailures - failures <= quarantineFailuresLeft || losses >= maxLosses ? "suspect" : lane;
}
