import { setImmediate } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createLimitedFileCalls } from "./limited-file-calls.ts";

function openCall() {
  const { promise, resolve } = Promise.withResolvers<string>();
  let isBegun = false;
  return {
    end: () => resolve("done"),
    isBegun: () => isBegun,
    call: async () => {
      isBegun = true;
      return promise;
    },
  };
}

test("file changes leave one pool thread to reads, and wait while no permit is free", async () => {
  const calls = createLimitedFileCalls({ threads: 5 });
  const work = [openCall(), openCall(), openCall()];
  const changes = work.map(async ({ call }) => calls.mutate(call));
  expect(await calls.read("a", async () => "read")).toBe("read");
  expect(work.map(({ isBegun }) => isBegun())).toEqual([true, true, false]);
  for (const { end } of work) end();
  expect(await Promise.all(changes)).toEqual(["done", "done", "done"]);
});

test("changes of files are refused while running ones hang, until one of them ends", async () => {
  const calls = createLimitedFileCalls({ threads: 4, mutationPatienceMs: 1 });
  const hanging = openCall();
  const change = calls.mutate(hanging.call);
  await expect(calls.mutate(async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(await calls.read("a", async () => "read")).toBe("read");
  hanging.end();
  expect(await change).toBe("done");
  expect(await calls.mutate(async () => "again")).toBe("again");
});

test("an abort ends a file change's wait for a permit, but not a running change", async () => {
  const calls = createLimitedFileCalls({ threads: 4 });
  const [ahead, waiting] = [openCall(), openCall()];
  const leaving = new AbortController();
  const changes = [ahead, waiting].map(async ({ call }) => calls.mutate(call, leaving));
  leaving.abort(new Error("left"));
  await expect(changes[1]).rejects.toThrow("left");
  ahead.end();
  expect(await changes[0]).toBe("done");
  expect(waiting.isBegun()).toBe(false);
});

test("if a file read ends after its deadline, its result is passed to `discard`", async () => {
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 1 });
  const late = openCall();
  const { promise: discarded, resolve: discard } = Promise.withResolvers<string>();
  await expect(calls.read("a", late.call, { discard })).rejects.toBeInstanceOf(StoreUnavailableError);
  late.end();
  expect(await discarded).toBe("done");
  expect(await calls.read("a", async () => "read")).toBe("read");
});

test("a file read that waits for a permit ends at its deadline and never begins", async () => {
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  const ahead = [openCall(), openCall()];
  const reads = ahead.map(async ({ call }, index) => calls.read(`${index}`, call));
  const waiting = openCall();
  await expect(calls.read("a", waiting.call, { timeoutMs: 1 })).rejects.toBeInstanceOf(StoreUnavailableError);
  for (const { end } of ahead) end();
  await Promise.all(reads);
  expect(await calls.read("a", async () => "read")).toBe("read");
  expect(waiting.isBegun()).toBe(false);
});

test("reads of a path are refused until all late reads of the path have ended", async () => {
  const calls = createLimitedFileCalls({ threads: 6 });
  const [hanging, left, late] = [openCall(), openCall(), openCall()];
  const leaving = new AbortController();
  const reads = [
    calls.read("a", left.call, { signal: leaving.signal }),
    calls.read("a", hanging.call, { timeoutMs: 1 }),
    calls.read("a", late.call, { timeoutMs: 1 }),
  ];
  leaving.abort(new Error("left"));
  const outcomes = await Promise.allSettled(reads);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  for (const { end } of [left, late]) {
    end();
    await setImmediate();
    await expect(calls.read("a", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  hanging.end();
  await setImmediate();
  expect(await calls.read("a", async () => "read")).toBe("read");
});

test("closing a file waits for its running read and for a permit, and is never refused", async () => {
  const calls = createLimitedFileCalls({ threads: 4, readTimeoutMs: 1 });
  const [reading, hanging, closing] = [openCall(), openCall(), openCall()];
  const file = { close: async () => void (await closing.call()) };
  const reads = [calls.read("a", reading.call), calls.read("b", hanging.call)];
  calls.close(file, reading.call());
  await Promise.allSettled(reads);
  await expect(calls.read("c", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(closing.isBegun()).toBe(false);
  reading.end();
  await waitFor(async () => closing.isBegun(), { what: "the file being closed" });
  // The hanging read and the close hold both permits, so another read is refused immediately.
  await expect(calls.read("c", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  closing.end();
  await setImmediate();
  expect(await calls.read("c", async () => "read")).toBe("read");
  hanging.end();
});

test.each([1, 2, 3])("a store whose process has %i pool threads still runs reads and changes", async (threads) => {
  const calls = createLimitedFileCalls({ threads });
  const reads = Array.from({ length: 5 }, async (_, index) => calls.read(`${index}`, async () => "read"));
  expect(await calls.mutate(async () => "changed")).toBe("changed");
  expect(new Set(await Promise.all(reads))).toEqual(new Set(["read"]));
});
