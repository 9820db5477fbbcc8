import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCachedRead } from "./create-cached-read.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

test("createCachedRead shares a read with all callers until its okMs has passed", async () => {
  let reads = 0;
  const read = createCachedRead(async () => ++reads, { okMs: 1_000, failureMs: 10 });
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  vi.advanceTimersByTime(999);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await read()).toBe(2);
});

test("createCachedRead rejects all callers with a failed read's error until failureMs ends", async () => {
  let isAway = true;
  const read = createCachedRead(
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

test("createCachedRead rejects a read that exceeds timeoutMs, and the next call reads again", async () => {
  let reads = 0;
  const read = createCachedRead(async () => (++reads === 1 ? new Promise<number>(() => undefined) : reads), {
    okMs: 1_000,
    failureMs: 0,
    timeoutMs: 5,
  });
  await expect(read()).rejects.toThrow("within 5 ms");
  expect(await read()).toBe(2);
});
