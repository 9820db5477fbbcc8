import { describe, expect, it } from "vitest";
import { evaluateLoss, type LostAttempt } from "./rescue.ts";

const now = new Date("2026-06-01T12:00:00Z");
const lost = (changes: Partial<LostAttempt> = {}): LostAttempt => ({
  id: "a",
  attempt: 1,
  failures: 0,
  maxFailures: 3,
  createdAt: new Date(now.getTime() - 60_000),
  lane: "quick",
  losses: 0,
  byDeploy: false,
  ...changes,
});

describe("a lost attempt", () => {
  it("a report that loses its worker outside of quarantine is requeued, not failed", () => {
    expect(evaluateLoss(lost(), now)).toEqual({ kind: "requeue", lane: "quick", losses: 1, spendsFailure: false });
  });

  it("a report that loses its worker for the second time moves to the quarantine lane", () => {
    expect(evaluateLoss(lost({ losses: 1, lane: "bulk" }), now)).toMatchObject({
      lane: "suspect",
      spendsFailure: false,
    });
  });

  it("losing its worker in quarantine is a failure of the report; the third ends it", () => {
    const alone = lost({ losses: 2, lane: "suspect" });
    expect(evaluateLoss(alone, now)).toEqual({ kind: "requeue", lane: "suspect", losses: 2, spendsFailure: true });
    expect(evaluateLoss({ ...alone, failures: 2 }, now)).toMatchObject({
      kind: "fail",
      failure: { code: "RENDERER_CRASHED" },
      spendsFailure: true,
    });
  });

  it("losing its worker in a deployment does not fail a report, even in quarantine", () => {
    const deploy = lost({ byDeploy: true, lane: "suspect", failures: 2, losses: 2 });
    expect(evaluateLoss(deploy, now)).toEqual({ kind: "requeue", lane: "suspect", losses: 2, spendsFailure: false });
  });

  it("a lost report is requeued until six hours after its creation, then it fails", () => {
    const hours = (count: number): Date => new Date(now.getTime() - count * 3_600_000);
    expect(evaluateLoss(lost({ createdAt: hours(5.9) }), now).kind).toBe("requeue");
    expect(evaluateLoss(lost({ createdAt: hours(6) }), now)).toMatchObject({
      kind: "fail",
      failure: { code: "DEPENDENCY_UNAVAILABLE" },
      spendsFailure: false,
    });
  });
});
