import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { remember } from "./remember.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("whoever asks at the same time or shortly after shares one read; later ones get a new one", async () => {
  let reads = 0;
  const read = remember(async () => ++reads, { okMs: 1_000, failureMs: 10 });
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});

test("a failure is told to all who share it, and is forgotten after its own time", async () => {
  let isAway = true;
  const read = remember(
    async () => {
      if (isAway) throw new Error("away");
      return "here";
    },
    { okMs: 60_000, failureMs: 1_000 },
  );
  await Promise.all([expect(read()).rejects.toThrow("away"), expect(read()).rejects.toThrow("away")]);
  isAway = false;
  vi.advanceTimersByTime(999);
  await expect(read()).rejects.toThrow("away");
  vi.advanceTimersByTime(1);
  expect(await read()).toBe("here");
});

test("a read that never ends is given up, and the next one is tried", async () => {
  let reads = 0;
  const read = remember(async () => (++reads === 1 ? new Promise<number>(() => undefined) : reads), {
    okMs: 1_000,
    failureMs: 0,
    timeoutMs: 5,
  });
  await expect(read()).rejects.toThrow("within 5 ms");
  expect(await read()).toBe(2);
});
