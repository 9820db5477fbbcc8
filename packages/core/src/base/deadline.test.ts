import { expect, test } from "vitest";
import { unlessAborted, withinTime } from "./deadline.ts";

const never = new Promise<never>(() => undefined);
const late = () => new Error("late");

test("work in time has its own end, and a signal that is not told of it", async () => {
  const signals: AbortSignal[] = [];
  const result = await withinTime(
    async (signal) => {
      signals.push(signal);
      return "done";
    },
    60_000,
    late,
  );
  expect(result).toBe("done");
  expect(signals[0]!.aborted).toBe(false);
  await expect(withinTime(async () => Promise.reject(new Error("broken")), 60_000, late)).rejects.toThrow("broken");
});

test("work that is late is waited for no longer, hears of it, and may end as it likes", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  const heard: unknown[] = [];
  // The deadline's own timer keeps no process alive.
  const alive = setInterval(() => undefined, 1_000);
  const work = withinTime(
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
  // Rejected behind everybody's back, which must not end the process.
  reject(new Error("afterwards"));
});

test("work that gives up when it is told that it is late is late all the same", async () => {
  const alive = setInterval(() => undefined, 1_000);
  const work = withinTime(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("gave up")))),
    1,
    late,
  );
  await expect(work).rejects.toThrow("late");
  clearInterval(alive);
});

test("an abort ends the wait with its reason, before it as well as during it", async () => {
  const leaving = new AbortController();
  const waits = unlessAborted(never, leaving.signal);
  leaving.abort(new Error("left"));
  await expect(waits).rejects.toThrow("left");
  await expect(unlessAborted(never, leaving.signal)).rejects.toThrow("left");
});
