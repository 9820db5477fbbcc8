import { isTerminal } from "@reports/core/report";
import type { ReportStatus } from "@reports/core/base";

export interface ReportHistoryEvent {
  readonly from: ReportStatus | null;
  readonly to: ReportStatus | "DELETED";
  readonly attempt: number;
  readonly at: Date;
  readonly because?: string | null;
}

/** The statuses that may follow a status. Deletion is not a status. It is legal at any time. */
const legalTransitions: Readonly<Record<ReportStatus, readonly ReportStatus[]>> = {
  QUEUED: ["RUNNING", "CANCELLED", "QUEUED"],
  RUNNING: ["SUCCEEDED", "FAILED", "CANCELLED", "QUEUED"],
  SUCCEEDED: ["EXPIRED"],
  FAILED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** Maximum claims of one report per minute. Faults alone cause fewer, so a larger number means that retries have no delay. */
const claimsPerMinute = 12;

/** Returns the problems of the history of a report. The events must be in the order in which they were written. */
export function findReportHistoryProblems(events: readonly ReportHistoryEvent[]): string[] {
  const problems: string[] = [];
  let status: ReportStatus | null = null;
  let attempt = 0;
  let ends = 0;
  let deleted = false;
  for (const event of events) {
    if (event.to === "DELETED") {
      deleted = true;
      continue;
    }
    if (deleted) problems.push(`went to ${event.to} after it was deleted`);
    if (event.from !== status) problems.push(`left ${event.from} while it was ${status}`);
    if (status === null ? event.to !== "QUEUED" : !legalTransitions[status].includes(event.to)) {
      problems.push(`went from ${status} to ${event.to}`);
    }
    // A worker that lacks the report's type requeues the report. This is not an attempt, but needs a reason.
    if (event.from === "QUEUED" && event.to === "QUEUED" && typeof event.because !== "string")
      problems.push("was requeued without a reason");
    const expected: number = event.to === "RUNNING" ? attempt + 1 : attempt;
    if (event.attempt !== expected) problems.push(`has attempt ${event.attempt} instead of ${expected}`);
    if (isTerminal(event.to) && event.to !== "EXPIRED") ends++;
    status = event.to;
    attempt = event.attempt;
  }
  if (events.length === 0) problems.push("has no event");
  if (ends > 1) problems.push(`ended ${ends} times`);
  if (mostClaimsInAMinute(events) > claimsPerMinute) {
    problems.push(`was claimed ${mostClaimsInAMinute(events)} times within a minute: its retries are not paced`);
  }
  return problems;
}

function mostClaimsInAMinute(events: readonly ReportHistoryEvent[]): number {
  const times = events.filter(({ to }) => to === "RUNNING").map(({ at }) => at.getTime());
  let most = 0;
  let first = 0;
  for (const [index, time] of times.entries()) {
    while (times[first]! < time - 60_000) first++;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
