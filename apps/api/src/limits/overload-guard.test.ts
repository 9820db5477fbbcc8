import { RateLimitedError } from "@reports/core/caller";
import type { QueueLoad } from "@reports/core/report";
import { expect, test } from "vitest";
import { createOverloadGuard } from "./overload-guard.ts";

function guardOver(load: QueueLoad | Error, limits = { waiting: 10, oldestWaitSeconds: 60 }) {
  const state = { load, reads: 0, time: 0, readMs: 0, gate: Promise.resolve() };
  const refuse = createOverloadGuard({
    limitsOf: () => limits,
    now: () => state.time,
    readLoads: async () => {
      state.reads += 1;
      await state.gate;
      state.time += state.readMs;
      if (state.load instanceof Error) throw state.load;
      return [{ lane: "quick", ...state.load }];
    },
  });
  return { state, refuse };
}

test.each<[string, QueueLoad]>([
  ["a queue that is too long", { waiting: 10, oldestWaitMs: 1 }],
  ["a queue whose oldest report has waited too long", { waiting: 1, oldestWaitMs: 60_000 }],
])("the overload guard refuses a start for %s", async (_, load) => {
  const { refuse } = guardOver(load);
  const refusal: unknown = await refuse("quick").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RateLimitedError);
  expect(refusal).toMatchObject({ code: "overloaded", retryAfterSeconds: 15 });
});

test.each<[string, QueueLoad, { waiting: number; oldestWaitSeconds: number }]>([
  ["a queue within its limits", { waiting: 9, oldestWaitMs: 59_999 }, { waiting: 10, oldestWaitSeconds: 60 }],
  ["an empty queue", { waiting: 0, oldestWaitMs: null }, { waiting: 10, oldestWaitSeconds: 60 }],
  ["any queue, if both limits are off,", { waiting: 1e6, oldestWaitMs: 1e9 }, { waiting: 0, oldestWaitSeconds: 0 }],
])("the overload guard allows a start for %s", async (_, load, limits) => {
  await expect(guardOver(load, limits).refuse("quick")).resolves.toBeUndefined();
});

test("the overload guard reads the queue once per second, and again after a failure", async () => {
  const { state, refuse } = guardOver({ waiting: 0, oldestWaitMs: null });
  await Promise.all([refuse("quick"), refuse("quick"), refuse("quick")]);
  expect(state.reads).toBe(1);
  state.time = 1_000;
  state.load = new Error("away");
  await expect(refuse("quick")).rejects.toThrow("away");
  state.load = { waiting: 10, oldestWaitMs: null };
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  expect(state.reads).toBe(3);
});

test("refusing a start waits for no query, unless the queue's last reading is too old", async () => {
  const { state, refuse } = guardOver({ waiting: 10, oldestWaitMs: null });
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  state.time = 1_500;
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  state.load = { waiting: 0, oldestWaitMs: null };
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  expect(state.reads).toBe(2);
  gate.resolve();
  await gate.promise;
  state.time = 60_000;
  await expect(refuse("quick")).resolves.toBeUndefined();
});

test("between two readings of the queue, starts are allowed up to the queue's capacity", async () => {
  const { state, refuse } = guardOver({ waiting: 7, oldestWaitMs: null });
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, async () => {
      await refuse("quick");
      state.load = { waiting: (state.load as QueueLoad).waiting + 1, oldestWaitMs: null };
    }),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(state.reads).toBe(2);
});

test("a start that waits 5 s for the reading of an idle queue is still allowed", async () => {
  const { state, refuse } = guardOver({ waiting: 0, oldestWaitMs: null });
  state.readMs = 5_000;
  await expect(refuse("quick")).resolves.toBeUndefined();
  expect(state.reads).toBe(1);
});

test("while one lane is overloaded, starts in another lane are allowed", async () => {
  const { state, refuse } = guardOver({ waiting: 10, oldestWaitMs: 3_600_000 });
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  await expect(refuse("bulk")).resolves.toBeUndefined();
  expect(state.reads).toBe(1);
  state.time = 1_000;
  state.load = { waiting: 8, oldestWaitMs: null };
  // These nine starts in the bulk lane do not use the capacity of the quick lane, which is two starts.
  for (let start = 0; start < 9; start++) await refuse("bulk");
  await expect(refuse("quick")).resolves.toBeUndefined();
  await expect(refuse("quick")).resolves.toBeUndefined();
  state.load = { waiting: 10, oldestWaitMs: null };
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
});

test("each lane has its own limits of waiting reports", async () => {
  const state = { waiting: 50, oldestWaitMs: 90_000 };
  const limits = { quick: { waiting: 5_000, oldestWaitSeconds: 60 }, bulk: { waiting: 40, oldestWaitSeconds: 3_600 } };
  const refuse = createOverloadGuard({
    limitsOf: (lane) => limits[lane === "bulk" ? lane : "quick"],
    readLoads: async () => [
      { lane: "quick", ...state, oldestWaitMs: 1 },
      { lane: "bulk", ...state },
    ],
  });
  await expect(refuse("quick")).resolves.toBeUndefined();
  await expect(refuse("bulk")).rejects.toMatchObject({ quotas: [{ name: "queue", limit: 40 }] });
});

test("a waiting time that is wrong because Postgres's clock jumped refuses no start", async () => {
  const { state, refuse } = guardOver({ waiting: 1, oldestWaitMs: 5_000 });
  await refuse("quick");
  state.time = 1_000;
  state.load = { waiting: 1, oldestWaitMs: 3_606_000 };
  await expect(refuse("quick")).resolves.toBeUndefined();
  // The oldest report has now waited for 60 s by the clock of the API process, too. That is too long.
  state.time = 55_000;
  state.load = { waiting: 1, oldestWaitMs: 3_660_000 };
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  state.time = 56_000;
  state.load = { waiting: 1, oldestWaitMs: null };
  await expect(refuse("quick")).rejects.toThrow(RateLimitedError);
  state.time = 58_000;
  await expect(refuse("quick")).resolves.toBeUndefined();
});

test("a jump of Postgres's clock before the first report waits refuses no start", async () => {
  const { state, refuse } = guardOver({ waiting: 0, oldestWaitMs: null });
  await refuse("quick");
  state.time = 30_000;
  state.load = { waiting: 1, oldestWaitMs: 3_600_000 };
  await expect(refuse("quick")).resolves.toBeUndefined();
});
