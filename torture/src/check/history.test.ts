import { describe, expect, it } from "vitest";
import { findReportHistoryProblems, type ReportHistoryEvent } from "./history.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
const created: ReportHistoryEvent = { from: null, to: "QUEUED", attempt: 0, at: at(0) };
const claimed: ReportHistoryEvent = { from: "QUEUED", to: "RUNNING", attempt: 1, at: at(1) };
const done: ReportHistoryEvent = { from: "RUNNING", to: "SUCCEEDED", attempt: 1, at: at(2) };

describe("findReportHistoryProblems", () => {
  it("findReportHistoryProblems accepts a report with a requeue, a retry, an end and a deletion", () => {
    const life: ReportHistoryEvent[] = [
      created,
      { from: "QUEUED", to: "QUEUED", attempt: 0, at: at(1), because: "TYPE_UNKNOWN" },
      claimed,
      { from: "RUNNING", to: "QUEUED", attempt: 1, at: at(3) },
      { from: "QUEUED", to: "RUNNING", attempt: 2, at: at(4) },
      { from: "RUNNING", to: "SUCCEEDED", attempt: 2, at: at(5) },
      { from: "SUCCEEDED", to: "DELETED", attempt: 2, at: at(6) },
    ];
    expect(findReportHistoryProblems(life)).toEqual([]);
  });

  it.each([
    ["a second end", [created, claimed, done, done]],
    ["an end after a cancel", [created, claimed, { ...done, to: "CANCELLED" }, done]],
    ["an attempt number that was skipped", [created, { ...claimed, attempt: 2 }]],
    ["an end by an attempt that is not the running one", [created, claimed, { ...done, attempt: 0 }]],
    ["an end without a claim", [created, { ...done, from: "QUEUED", attempt: 0 }]],
    ["a claim after the deletion", [created, { ...created, from: "QUEUED", to: "DELETED" }, claimed]],
    ["a requeue without a reason", [created, { ...created, from: "QUEUED" }]],
    ["a history without events", []],
  ] satisfies [string, ReportHistoryEvent[]][])("findReportHistoryProblems reports %s", (_, events) => {
    expect(findReportHistoryProblems(events)).not.toEqual([]);
  });

  it("findReportHistoryProblems reports retries that follow each other without a delay", () => {
    const events = [created];
    for (let attempt = 1; attempt <= 20; attempt++) {
      events.push({ from: "QUEUED", to: "RUNNING", attempt, at: at(attempt) });
      events.push({ from: "RUNNING", to: "QUEUED", attempt, at: at(attempt) });
    }
    expect(findReportHistoryProblems(events)).toEqual([
      "was claimed 20 times within a minute: its retries are not paced",
    ]);
  });
});
