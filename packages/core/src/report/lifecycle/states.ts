import type { Report } from "./report-record.ts";
import type { ReportStatus } from "../../base/vocabulary.ts";

/** Whether nothing more will be worked on: SUCCEEDED, FAILED, CANCELLED and EXPIRED. */
export function isTerminal(status: ReportStatus): boolean {
  return status !== "QUEUED" && status !== "RUNNING";
}

const retrySteps = [
  { untilSeconds: 5, waitSeconds: 1 },
  { untilSeconds: 15, waitSeconds: 2 },
  { untilSeconds: 60, waitSeconds: 5 },
  { untilSeconds: 180, waitSeconds: 10 },
  { untilSeconds: 600, waitSeconds: 15 },
] as const;

/** How long a caller is to wait before it asks again, in seconds: longer, the older the report. docs/reference/resources/reports.md#reading-a-report. */
export function retryAfterSeconds(report: Pick<Report, "createdAt">, now: Date): number {
  const ageSeconds = (now.getTime() - report.createdAt.getTime()) / 1000;
  return retrySteps.find(({ untilSeconds }) => ageSeconds < untilSeconds)?.waitSeconds ?? 30;
}
