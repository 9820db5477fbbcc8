import type { ReportStatus } from "./record.ts";

/** Every legal transition. docs/contract.md §4.1. Deletion is a tombstone beside the status and is legal from any state. */
export const legalTransitions = {
  QUEUED: ["RUNNING", "CANCELLED"],
  RUNNING: ["SUCCEEDED", "FAILED", "CANCELLED", "QUEUED"],
  SUCCEEDED: ["EXPIRED"],
  FAILED: [],
  CANCELLED: [],
  EXPIRED: [],
} as const satisfies Record<ReportStatus, readonly ReportStatus[]>;

/** Whether a report may go from one state to the other. */
export function isLegalTransition(from: ReportStatus, to: ReportStatus): boolean {
  return (legalTransitions[from] as readonly ReportStatus[]).includes(to);
}

/** Whether nothing more will be worked on: SUCCEEDED, FAILED, CANCELLED and EXPIRED. */
export function isTerminal(status: ReportStatus): boolean {
  return status !== "QUEUED" && status !== "RUNNING";
}

/** `Retry-After` of an open report in seconds, by its age: 1, 2, 5, 10, 15, then 30. */
export function retryAfterSeconds(createdAt: Date, now: Date): number {
  const ageSeconds = (now.getTime() - createdAt.getTime()) / 1000;
  const steps = [
    [5, 1],
    [15, 2],
    [60, 5],
    [180, 10],
    [600, 15],
  ] as const;
  return steps.find(([upTo]) => ageSeconds < upTo)?.[1] ?? 30;
}
