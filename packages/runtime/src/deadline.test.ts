import { describe, expect, it } from "vitest";
import { runHealthChecks } from "./health-check.ts";
import { DeadlineExceededError, withDeadline } from "./deadline.ts";

const never = async (): Promise<never> => new Promise<never>(() => undefined);

describe("withDeadline", () => {
  it("withDeadline returns the result of the work, or rejects with its error", async () => {
    expect(await withDeadline(async () => 7, 10_000, "It")).toBe(7);
    const error = new Error("no");
    await expect(withDeadline(async () => Promise.reject(error), 10_000, "It")).rejects.toBe(error);
  });

  it("at the deadline, withDeadline rejects and aborts, even if the work ignores it", async () => {
    let seen: AbortSignal | undefined;
    const work = withDeadline(
      async (signal) => {
        seen = signal;
        return never();
      },
      5,
      "The query",
    );
    await expect(work).rejects.toThrow(new DeadlineExceededError("The query", 5));
    expect(seen?.reason).toBeInstanceOf(DeadlineExceededError);
  });

  it("withDeadline rejects with the parent signal's reason if that aborts", async () => {
    const reason = new Error("stopping");
    await expect(withDeadline(never, 10_000, "It", AbortSignal.abort(reason))).rejects.toBe(reason);
    const parent = new AbortController();
    const work = withDeadline(never, 10_000, "It", parent.signal);
    parent.abort(reason);
    await expect(work).rejects.toBe(reason);
  });
});

describe("runHealthChecks", () => {
  it("runHealthChecks reports which check fails or hangs, without error texts", async () => {
    const failures: string[] = [];
    const report = await runHealthChecks(
      { good: async () => undefined, bad: async () => Promise.reject(new Error("password hunter2")), slow: never },
      { timeoutMs: 10, onFailure: (name) => failures.push(name) },
    );
    expect(report).toMatchObject({
      status: "failing",
      checks: { good: { status: "ok" }, bad: { status: "failing" }, slow: { status: "timeout" } },
    });
    expect(JSON.stringify(report)).not.toContain("hunter2");
    expect(failures.toSorted()).toEqual(["bad", "slow"]);
  });

  it("runHealthChecks reports a check that throws synchronously as failing", async () => {
    const check = (): Promise<never> => {
      throw new Error("at once");
    };
    expect((await runHealthChecks({ check })).status).toBe("failing");
  });
});
