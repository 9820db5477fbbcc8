import type { Report } from "./report-record.ts";
import type { ReportStatus } from "../../base/vocabulary.ts";

/** Reports whether no attempt can follow: the state is SUCCEEDED, FAILED, CANCELLED or EXPIRED. */
export function isTerminal(status: ReportStatus): boolean {
  return status !== "QUEUED" && status !== "RUNNING";
}

const pollSteps = [
  { untilSeconds: 5, waitSeconds: 1 },
  { untilSeconds: 15, waitSeconds: 2 },
  { untilSeconds: 60, waitSeconds: 5 },
  { untilSeconds: 180, waitSeconds: 10 },
  { untilSeconds: 600, waitSeconds: 15 },
] as const;

/** Returns the seconds until a client should poll again, which grow with the report's age. */
export function retryAfterSeconds(report: Pick<Report, "createdAt">, now: Date): number {
  const ageSeconds = (now.getTime() - report.createdAt.getTime()) / 1000;
  return pollSteps.find(({ untilSeconds }) => ageSeconds < untilSeconds)?.waitSeconds ?? 30;
}
