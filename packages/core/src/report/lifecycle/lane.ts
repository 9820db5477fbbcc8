import type { ReportLane } from "../../base/vocabulary.ts";
import { formatFacts, type ReportFormat } from "../types/format.ts";
import type { Report } from "./report-record.ts";

/** How many of a report's attempts may be lost together with their worker before it has to run alone. */
const maxLosses = 2;

/** A report with so many failures left, or fewer, runs alone: its last try may take nobody along. */
const failuresLeftAlone = 1;

/** The lane in which a report begins; one whose size cannot be told is taken for a short one. */
export function firstLane(format: ReportFormat, estimatedRows: number | null): ReportLane {
  return estimatedRows !== null && estimatedRows > formatFacts[format].bulkRows ? "bulk" : "quick";
}

/** What a report has been through, as far as it decides where its next attempt runs. */
export interface ReportPast extends Pick<Report, "failures" | "maxFailures"> {
  readonly lane: ReportLane;
  /** Attempts that were lost together with their worker. */
  readonly losses: number;
}

/**
 * The lane of the next attempt, whatever ended the one before. It runs alone once its renderers crashed until one failure was left, or its
 * workers died again and again, and from then on it always does.
 */
export function nextLane({ lane, failures, maxFailures, losses }: ReportPast): ReportLane {
  return maxFailures - failures <= failuresLeftAlone || losses >= maxLosses ? "suspect" : lane;
}
