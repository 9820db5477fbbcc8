import { setImmediate } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createFileCalls } from "./file-calls.ts";

/** A call of a file system that ends when it is told to. */
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

test("changes leave a thread to looks, which is how the state of the store is found out, and go on one after the other", async () => {
  const calls = createFileCalls({ threads: 5 });
  const work = [openCall(), openCall(), openCall()];
  const changes = work.map(async ({ call }) => calls.mutate(call));
  expect(await calls.read("a", async () => "looked")).toBe("looked");
  expect(work.map(({ isBegun }) => isBegun())).toEqual([true, true, false]);
  for (const { end } of work) end();
  expect(await Promise.all(changes)).toEqual(["done", "done", "done"]);
});

test("changes are refused while those that are under way hang, and taken again when one of them ends", async () => {
  const calls = createFileCalls({ threads: 4, mutationPatienceMs: 1 });
  const hanging = openCall();
  const change = calls.mutate(hanging.call);
  await expect(calls.mutate(async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(await calls.read("a", async () => "looked")).toBe("looked");
  hanging.end();
  expect(await change).toBe("done");
  expect(await calls.mutate(async () => "again")).toBe("again");
});

test("a change may be left while it waits for its place, and not once it has begun", async () => {
  const calls = createFileCalls({ threads: 4 });
  const [ahead, waiting] = [openCall(), openCall()];
  const leaving = new AbortController();
  const changes = [ahead, waiting].map(async ({ call }) => calls.mutate(call, leaving));
  leaving.abort(new Error("left"));
  await expect(changes[1]).rejects.toThrow("left");
  ahead.end();
  expect(await changes[0]).toBe("done");
  expect(waiting.isBegun()).toBe(false);
});

test("what a look brings too late is given back", async () => {
  const calls = createFileCalls({ threads: 4, readTimeoutMs: 1 });
  const late = openCall();
  const { promise: discarded, resolve: discard } = Promise.withResolvers<string>();
  await expect(calls.read("a", late.call, { discard })).rejects.toBeInstanceOf(StoreUnavailableError);
  late.end();
  expect(await discarded).toBe("done");
  expect(await calls.read("a", async () => "looked")).toBe("looked");
});

test("a look ends at its deadline while it waits for its place, too, and is not begun later", async () => {
  const calls = createFileCalls({ threads: 4, readTimeoutMs: 60_000 });
  const ahead = [openCall(), openCall()];
  const looks = ahead.map(async ({ call }, place) => calls.read(`${place}`, call));
  const waiting = openCall();
  await expect(calls.read("a", waiting.call, { timeoutMs: 1 })).rejects.toBeInstanceOf(StoreUnavailableError);
  for (const { end } of ahead) end();
  await Promise.all(looks);
  expect(await calls.read("a", async () => "looked")).toBe("looked");
  expect(waiting.isBegun()).toBe(false);
});

test("a path counts as hanging until each look at it that was late has ended, whatever becomes of others that were left", async () => {
  const calls = createFileCalls({ threads: 6 });
  const [hanging, left, late] = [openCall(), openCall(), openCall()];
  const leaving = new AbortController();
  const looks = [
    calls.read("a", left.call, { signal: leaving.signal }),
    calls.read("a", hanging.call, { timeoutMs: 1 }),
    calls.read("a", late.call, { timeoutMs: 1 }),
  ];
  leaving.abort(new Error("left"));
  const outcomes = await Promise.allSettled(looks);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  for (const { end } of [left, late]) {
    end();
    await setImmediate();
    await expect(calls.read("a", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  }
  hanging.end();
  await setImmediate();
  expect(await calls.read("a", async () => "looked")).toBe("looked");
});

test("what is to be closed takes a place like any call, after the call that is under way in it, and is never refused", async () => {
  const calls = createFileCalls({ threads: 4, readTimeoutMs: 1 });
  const [reading, hanging, closing] = [openCall(), openCall(), openCall()];
  const file = { close: async () => void (await closing.call()) };
  const looks = [calls.read("a", reading.call), calls.read("b", hanging.call)];
  calls.close(file, reading.call());
  await Promise.allSettled(looks);
  await expect(calls.read("c", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  expect(closing.isBegun()).toBe(false);
  reading.end();
  await waitFor(async () => closing.isBegun(), { what: "the file being closed" });
  // Both places are taken, by what hangs and by what is being closed.
  await expect(calls.read("c", async () => "never")).rejects.toBeInstanceOf(StoreUnavailableError);
  closing.end();
  await setImmediate();
  expect(await calls.read("c", async () => "looked")).toBe("looked");
  hanging.end();
});

test.each([1, 2, 3])("a pool of %i threads still does everything", async (threads) => {
  const calls = createFileCalls({ threads });
  const looks = Array.from({ length: 5 }, async (_, place) => calls.read(`${place}`, async () => "looked"));
  expect(await calls.mutate(async () => "changed")).toBe("changed");
  expect(new Set(await Promise.all(looks))).toEqual(new Set(["looked"]));
});
