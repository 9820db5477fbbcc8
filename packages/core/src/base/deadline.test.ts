import { expect, test } from "vitest";
import { awaitUnlessAborted, runWithTimeLimit } from "./deadline.ts";

const never = new Promise<never>(() => undefined);
const late = () => new Error("late");

test("runWithTimeLimit passes on the result or error of work that ends in time", async () => {
  const signals: AbortSignal[] = [];
  const result = await runWithTimeLimit(
    async (signal) => {
      signals.push(signal);
      return "done";
    },
    60_000,
    late,
  );
  expect(result).toBe("done");
  expect(signals[0]!.aborted).toBe(false);
  await expect(runWithTimeLimit(async () => Promise.reject(new Error("broken")), 60_000, late)).rejects.toThrow(
    "broken",
  );
});

test("runWithTimeLimit aborts late work, rejects, and ignores the work's later error", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const heard: unknown[] = [];
  // The timer of runWithTimeLimit does not keep the process alive. Without this interval, the program would end before the time limit.
  const alive = setInterval(() => undefined, 1_000);
  const work = runWithTimeLimit(
    async (signal) => {
      signal.addEventListener("abort", () => heard.push(signal.reason));
      return promise;
    },
    1,
    late,
  );
  await expect(work).rejects.toThrow("late");
  clearInterval(alive);
  expect(heard).toEqual([late()]);
  reject(new Error("afterwards"));
});

test("runWithTimeLimit rejects with its own error, not with that of the aborted work", async () => {
  const alive = setInterval(() => undefined, 1_000);
  const work = runWithTimeLimit(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gave up")))),
    1,
    late,
  );
  await expect(work).rejects.toThrow("late");
  clearInterval(alive);
});

test("awaitUnlessAborted rejects with the reason if its signal aborts, even before", async () => {
  const leaving = new AbortController();
  const waits = awaitUnlessAborted(never, leaving.signal);
  leaving.abort(new Error("left"));
  await expect(waits).rejects.toThrow("left");
  await expect(awaitUnlessAborted(never, leaving.signal)).rejects.toThrow("left");
});
