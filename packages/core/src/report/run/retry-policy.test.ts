import { describe, expect, it } from "vitest";
import {
  FencedOutError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  DatabaseLimitError,
  StoreUnavailableError,
} from "../../base/errors.ts";
import { reportRetryDelaysMs } from "./retry-delay.ts";
import { evaluateFailure } from "./retry-policy.ts";

const createdAt = new Date("2026-01-01T00:00:00Z");
const requeues = { count: 0, waitedMs: 0, isServedElsewhere: false };
const report = { reportType: "PROXY", attempt: 1, failures: 0, maxFailures: 3, createdAt, requeues };
const minutesLater = (minutes: number): Date => new Date(createdAt.getTime() + minutes * 60_000);
const evaluate = (error: unknown, overrides: Partial<typeof report> = {}, now = minutesLater(1), random = 0.5) =>
  evaluateFailure(error, { ...report, ...overrides }, now, { delaysMs: reportRetryDelaysMs, random: () => random });

describe("failed attempts", () => {
  it("a permanent error ends a report immediately, without a retry", () => {
    expect(evaluate(new PermanentReportError("REPORT_TOO_LARGE", "Too large."))).toEqual({
      kind: "fail",
      failure: { code: "REPORT_TOO_LARGE", detail: "Too large.", retryable: false },
      spendsFailure: false,
    });
  });

  it("temporary errors count no failure and retry after 10, 30, 60, then 120 s ± 20 %", () => {
    const delays = [1, 2, 3, 4, 5, 50].map((attempt) => evaluate(new StoreUnavailableError("away"), { attempt }));
    expect(delays.map((verdict) => verdict.kind === "retry" && verdict.delayMs / 1000)).toEqual([
      10, 30, 60, 120, 120, 120,
    ]);
    expect(delays.every((verdict) => verdict.kind === "retry" && !verdict.spendsFailure)).toBe(true);
    const extremes = [0, 1].map((random) => evaluate(new StoreUnavailableError("away"), {}, minutesLater(1), random));
    expect(extremes.map((verdict) => verdict.kind === "retry" && verdict.delayMs)).toEqual([8000, 12_000]);
  });

  it("a temporary error ends a report that was created six hours ago", () => {
    expect(evaluate(new StoreUnavailableError("away"), {}, minutesLater(359)).kind).toBe("retry");
    expect(evaluate(new StoreUnavailableError("away"), {}, minutesLater(360))).toMatchObject({
      kind: "fail",
      failure: { code: "DEPENDENCY_UNAVAILABLE", retryable: true },
    });
  });

  it("a report that no worker can run is requeued for six hours and then fails", () => {
    const error = new ReportNotServedError("COLUMN_UNKNOWN", "no such column");
    const at = (count: number, waitedMs: number) =>
      evaluate(error, { attempt: 9, requeues: { ...requeues, count, waitedMs } }, minutesLater(1_000));
    expect(at(0, 0)).toEqual({ kind: "requeue", because: "COLUMN_UNKNOWN", delayMs: 10_000 });
    expect(at(2, 6 * 3_600_000 - 1)).toMatchObject({ kind: "requeue", delayMs: 60_000 });
    expect(at(2, 6 * 3_600_000)).toMatchObject({ kind: "fail", failure: { code: "UNKNOWN_REPORT_TYPE" } });
  });

  it("a worker's shutdown requeues its report without delay and counts as no failure", () => {
    expect(evaluate(new ShutdownError("stopping"))).toEqual({ kind: "retry", delayMs: 0, spendsFailure: false });
  });

  it("exceeding a database limit is a failure of a report; the third names the limit", () => {
    const limit = new DatabaseLimitError("It exceeds temp_file_limit.");
    expect(evaluate(limit)).toEqual({ kind: "retry", delayMs: 10_000, spendsFailure: true });
    expect(evaluate(limit, { failures: 2 })).toEqual({
      kind: "fail",
      failure: {
        code: "DEPENDENCY_UNAVAILABLE",
        detail: "The database ended the report 3 times. It exceeds temp_file_limit.",
        retryable: true,
      },
      spendsFailure: true,
    });
  });

  it("a report fails when its renderer crashes for the third time", () => {
    const crash = new RendererCrashError("OUT_OF_MEMORY", "heap");
    expect(evaluate(crash, { failures: 0 })).toMatchObject({ kind: "retry", spendsFailure: true });
    expect(evaluate(crash, { failures: 1 })).toMatchObject({ kind: "retry", spendsFailure: true });
    expect(evaluate(crash, { failures: 2 })).toMatchObject({
      kind: "fail",
      spendsFailure: true,
      failure: { code: "OUT_OF_MEMORY" },
    });
  });

  it("a bug counts as a failure like a crash, and its message stays hidden", () => {
    const bug = new TypeError("secret detail");
    expect(evaluate(bug).kind).toBe("retry");
    const verdict = evaluate(bug, { failures: 2 });
    expect(verdict).toMatchObject({ kind: "fail", failure: { code: "INTERNAL" } });
    expect(JSON.stringify(verdict)).not.toContain("secret detail");
  });

  it("an attempt that no longer owns its report stops without a retry or a failure", () => {
    expect(evaluate(new FencedOutError("id", 1))).toEqual({ kind: "stop" });
  });
});
