import type { ReportLane } from "../../base/vocabulary.ts";
import { formatProperties, type ReportFormat } from "../types/format.ts";
import type { Report } from "./report-record.ts";

const maxLosses = 2;

/** A report with at most this many failures left is quarantined, so that its last attempt cannot harm other reports. */
const quarantineFailuresLeft = 1;

export function chooseInitialReportLane(format: ReportFormat, estimatedRows: number | null): ReportLane {
  return estimatedRows !== null && estimatedRows > formatProperties[format].bulkRows ? "bulk" : "quick";
}

export interface FailureHistory extends Pick<Report, "failures" | "maxFailures"> {
  readonly lane: ReportLane;
  readonly losses: number;
}

export function chooseNextAttemptLane({ lane, failures, maxFailures, losses }: FailureHistory): ReportLane {
  return maxFailures - failures <= quarantineFailuresLeft || losses >= maxLosses ? "suspect" : lane;
}
