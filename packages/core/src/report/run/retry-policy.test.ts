import { describe, expect, it } from "vitest";
import {
  FencedOutError,
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  ShutdownError,
  StoreLimitError,
  StoreUnavailableError,
} from "../../base/errors.ts";
import { retryDelaysMs } from "./retry-delay.ts";
import { evaluateFailure } from "./retry-policy.ts";

const createdAt = new Date("2026-01-01T00:00:00Z");
const requeues = { count: 0, waitedMs: 0, isServedElsewhere: false };
const report = { reportType: "PROXY", attempt: 1, failures: 0, maxFailures: 3, createdAt, requeues };
const minutesLater = (minutes: number): Date => new Date(createdAt.getTime() + minutes * 60_000);
const evaluate = (error: unknown, overrides: Partial<typeof report> = {}, now = minutesLater(1), random = 0.5) =>
  evaluateFailure(error, { ...report, ...overrides }, now, { delaysMs: retryDelaysMs, random: () => random });

describe("what becomes of a broken attempt", () => {
  it("ends at once what trying again cannot mend", () => {
    expect(evaluate(new PermanentReportError("REPORT_TOO_LARGE", "Too large."))).toEqual({
      kind: "fail",
      failure: { code: "REPORT_TOO_LARGE", detail: "Too large.", retryable: false },
      spendsFailure: false,
    });
  });

  it("retries what can pass after 10, 30, 60, then 120 s ± 20 %, and spends nothing", () => {
    const delays = [1, 2, 3, 4, 5, 50].map((attempt) => evaluate(new StoreUnavailableError("away"), { attempt }));
    expect(delays.map((verdict) => verdict.kind === "retry" && verdict.delayMs / 1000)).toEqual([
      10, 30, 60, 120, 120, 120,
    ]);
    expect(delays.every((verdict) => verdict.kind === "retry" && !verdict.spendsFailure)).toBe(true);
    const extremes = [0, 1].map((random) => evaluate(new StoreUnavailableError("away"), {}, minutesLater(1), random));
    expect(extremes.map((verdict) => verdict.kind === "retry" && verdict.delayMs)).toEqual([8000, 12_000]);
  });

  it("gives up on what can pass six hours after the creation", () => {
    expect(evaluate(new StoreUnavailableError("away"), {}, minutesLater(359)).kind).toBe("retry");
    expect(evaluate(new StoreUnavailableError("away"), {}, minutesLater(360))).toMatchObject({
      kind: "fail",
      failure: { code: "DEPENDENCY_UNAVAILABLE", retryable: true },
    });
  });

  it("hands back what this worker does not serve until six hours after the first time, however old the report is", () => {
    const error = new ReportNotServedError("COLUMN_UNKNOWN", "no such column");
    const at = (count: number, waitedMs: number) =>
      evaluate(error, { attempt: 9, requeues: { ...requeues, count, waitedMs } }, minutesLater(1_000));
    expect(at(0, 0)).toEqual({ kind: "requeue", because: "COLUMN_UNKNOWN", delayMs: 10_000 });
    expect(at(2, 6 * 3_600_000 - 1)).toMatchObject({ kind: "requeue", delayMs: 60_000 });
    expect(at(2, 6 * 3_600_000)).toMatchObject({ kind: "fail", failure: { code: "UNKNOWN_REPORT_TYPE" } });
  });

  it("hands back at a shutdown without delay and without spending anything", () => {
    expect(evaluate(new ShutdownError("stopping"))).toEqual({ kind: "retry", delayMs: 0, spendsFailure: false });
  });

  it("counts what a limit of the database ended, and names the limit at the third time", () => {
    const limit = new StoreLimitError("It exceeds temp_file_limit.");
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

  it("ends a report at its third crash, and not before", () => {
    const crash = new RendererCrashError("OUT_OF_MEMORY", "heap");
    expect(evaluate(crash, { failures: 0 })).toMatchObject({ kind: "retry", spendsFailure: true });
    expect(evaluate(crash, { failures: 1 })).toMatchObject({ kind: "retry", spendsFailure: true });
    expect(evaluate(crash, { failures: 2 })).toMatchObject({
      kind: "fail",
      spendsFailure: true,
      failure: { code: "OUT_OF_MEMORY" },
    });
  });

  it("treats a bug like a crash, and tells the requester nothing of its inside", () => {
    const bug = new TypeError("secret detail");
    expect(evaluate(bug).kind).toBe("retry");
    const verdict = evaluate(bug, { failures: 2 });
    expect(verdict).toMatchObject({ kind: "fail", failure: { code: "INTERNAL" } });
    expect(JSON.stringify(verdict)).not.toContain("secret detail");
  });

  it("writes nothing more once it is fenced out", () => {
    expect(evaluate(new FencedOutError("id", 1))).toEqual({ kind: "stop" });
  });
});
