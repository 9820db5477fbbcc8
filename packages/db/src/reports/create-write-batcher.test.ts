import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWriteBatcher, type UnwrittenBatch } from "./create-write-batcher.ts";

// With real timers, a busy machine might end a wait before the test checks it.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

async function untilHeld({ held }: { readonly held: readonly unknown[] }, count: number): Promise<void> {
  while (held.length < count) await nextTurn();
}

/**
 * Creates writers that write single items immediately. A write of several items, or of an item called `held …`, ends only when the test resolves it.
 */
function openWriters(atMost = 100) {
  const written: string[][] = [];
  const held: PromiseWithResolvers<readonly string[] | UnwrittenBatch<string>>[] = [];
  const gather = createWriteBatcher<string, string>(
    {
      together: async (items) => {
        written.push([...items]);
        const turn = Promise.withResolvers<readonly string[] | UnwrittenBatch<string>>();
        held.push(turn);
        return turn.promise;
      },
      alone: async (item) => {
        written.push([item]);
        if (item.startsWith("bad")) throw new Error(`refused ${item}`);
        if (item.startsWith("held")) {
          const turn = Promise.withResolvers<readonly string[] | UnwrittenBatch<string>>();
          held.push(turn);
          await turn.promise;
        }
        return `alone ${item}`;
      },
    },
    { atMost, waitMs: ({ isWriting }) => (isWriting ? 20 : 0) },
  );
  return { written, held, gather };
}

test("createWriteBatcher writes a single item alone and immediately", async () => {
  const { written, gather } = openWriters();
  await expect(gather("alice", "1", 100)).resolves.toBe("alone 1");
  await expect(gather("alice", "2", 100)).resolves.toBe("alone 2");
  expect(written).toEqual([["1"], ["2"]]);
});

test("createWriteBatcher writes concurrent items of all callers in one batch", async () => {
  const { written, held, gather } = openWriters();
  const all = [gather("alice", "1", 100), gather("alice", "2", 100), gather("bob", "3", 100)];
  await untilHeld({ held }, 1);
  expect(written).toEqual([["1", "3", "2"]]);
  held[0]!.resolve(["first", "third", "second"]);
  await expect(Promise.all(all)).resolves.toEqual(["first", "second", "third"]);
});

test("items that arrive during a write form the next batch, within 100 ms", async () => {
  const { written, held, gather } = openWriters();
  const first = [gather("alice", "1", 100), gather("alice", "2", 100)];
  await nextTurn();
  const second = [gather("alice", "3", 100), gather("bob", "4", 100)];
  await nextTurn();
  expect(written).toEqual([["1", "2"]]);
  vi.advanceTimersByTime(100);
  expect(written).toEqual([
    ["1", "2"],
    ["3", "4"],
  ]);
  for (const [place, turn] of held.entries()) turn.resolve([`a${place}`, `b${place}`]);
  await expect(Promise.all([...first, ...second])).resolves.toEqual(["a0", "b0", "a1", "b1"]);
});

test("a write that never ends delays only the next batch, not the batches after it", async () => {
  const { written, gather } = openWriters();
  void gather("alice", "held", 100);
  await nextTurn();
  const next = gather("bob", "1", 100);
  vi.advanceTimersByTime(100);
  await expect(next).resolves.toBe("alone 1");
  // No timer advances here, so this item is written without waiting. The latest write has ended, although the first one is still running.
  await expect(gather("bob", "2", 100)).resolves.toBe("alone 2");
  expect(written).toEqual([["held"], ["1"], ["2"]]);
});

test("a batch contains each caller's first item before any caller's second", async () => {
  const { written, held, gather } = openWriters(4);
  const all = ["1", "2", "3", "4", "5"].map(async (item) => gather("alice", item, 100));
  all.push(gather("bob", "6", 100), gather("carol", "7", 100));
  await untilHeld({ held }, 1);
  expect(written).toEqual([["1", "6", "7", "2"]]);
  held[0]!.resolve(["a", "b", "c", "d"]);
  await untilHeld({ held }, 2);
  held[1]!.resolve(["e", "f", "g"]);
  await expect(Promise.all(all)).resolves.toEqual(["a", "d", "e", "f", "g", "b", "c"]);
});

test("a batch contains at most `most` items of a caller, and the rest follow later", async () => {
  const { written, held, gather } = openWriters();
  const all = ["1", "2", "3", "4", "5"].map(async (item) => gather("alice", item, 2));
  for (const place of [0, 1]) {
    await untilHeld({ held }, place + 1);
    held[place]!.resolve(["a", "b"]);
  }
  await expect(Promise.all(all)).resolves.toEqual(["a", "b", "a", "b", "alone 5"]);
  expect(written).toEqual([["1", "2"], ["3", "4"], ["5"]]);
});

test("items that make a batch fail are written alone, and the other items together", async () => {
  const { written, held, gather } = openWriters();
  const all = Promise.allSettled(["1", "bad", "3"].map(async (item) => gather(`caller of ${item}`, item, 100)));
  await untilHeld({ held }, 1);
  held[0]!.resolve({ because: ["bad"] });
  await untilHeld({ held }, 2);
  held[1]!.resolve(["first", "third"]);
  await expect(all).resolves.toEqual([
    { status: "fulfilled", value: "first" },
    { status: "rejected", reason: new Error("refused bad") },
    { status: "fulfilled", value: "third" },
  ]);
  expect(written).toEqual([["1", "bad", "3"], ["bad"], ["1", "3"]]);
});

test("if the cause of a failed batch is unknown, it is split by caller, then by item", async () => {
  const { written, held, gather } = openWriters();
  const items = { 1: "alice", bad: "alice", 3: "bob", 4: "carol", 5: "carol" };
  const all = Promise.allSettled(Object.entries(items).map(async ([item, caller]) => gather(caller, item, 100)));
  await untilHeld({ held }, 1);
  held[0]!.resolve({ because: [] });
  await untilHeld({ held }, 3);
  held[1]!.resolve({ because: [] });
  held[2]!.resolve(["fourth", "fifth"]);
  expect((await all).map((each) => (each.status === "fulfilled" ? each.value : "refused"))).toEqual([
    "alone 1",
    "alone 3",
    "fourth",
    "fifth",
    "refused",
  ]);
  expect(written[0]).toEqual(["1", "3", "4", "bad", "5"]);
});

test("a caller's items are written apart until its item that failed a batch is written", async () => {
  const { written, held, gather } = openWriters();
  const all = [gather("alice", "held", 100), gather("bob", "1", 100)];
  await untilHeld({ held }, 1);
  held[0]!.resolve({ because: ["held"] });
  await untilHeld({ held }, 2);
  await expect(all[1]).resolves.toBe("alone 1");
  const next = [gather("alice", "2", 100), gather("bob", "3", 100), gather("carol", "4", 100)];
  await untilHeld({ held }, 3);
  expect(written.slice(1)).toEqual([["held"], ["1"], ["2"], ["3", "4"]]);
  held[2]!.resolve(["third", "fourth"]);
  await expect(Promise.all(next)).resolves.toEqual(["alone 2", "third", "fourth"]);
  held[1]!.resolve([]);
  await expect(Promise.all(all)).resolves.toEqual(["alone held", "alone 1"]);
  const last = [gather("alice", "5", 100), gather("bob", "6", 100)];
  await untilHeld({ held }, 4);
  held[3]!.resolve(["fifth", "sixth"]);
  await expect(Promise.all(last)).resolves.toEqual(["fifth", "sixth"]);
});

test("a caller can share batches again while its earlier items are still written apart", async () => {
  const { written, held, gather } = openWriters();
  const all = [gather("alice", "held first", 100), gather("bob", "1", 100)];
  await untilHeld({ held }, 1);
  held[0]!.resolve({ because: ["held first"] });
  await untilHeld({ held }, 2);
  all.push(gather("alice", "held later", 100));
  await untilHeld({ held }, 3);
  held[1]!.resolve([]);
  await expect(Promise.all(all.slice(0, 2))).resolves.toEqual(["alone held first", "alone 1"]);
  all.push(gather("alice", "2", 100), gather("bob", "3", 100));
  await untilHeld({ held }, 4);
  expect(written.at(-1)).toEqual(["2", "3"]);
  held[3]!.resolve(["second", "third"]);
  held[2]!.resolve([]);
  await expect(Promise.all(all.slice(2))).resolves.toEqual(["alone held later", "second", "third"]);
});

test("if Postgres is unavailable, all items of the batch reject, but no later item", async () => {
  const { held, gather } = openWriters();
  const all = Promise.allSettled(["1", "2"].map(async (item) => gather("alice", item, 100)));
  await untilHeld({ held }, 1);
  held[0]!.reject(new StoreUnavailableError("no database"));
  const refused = { status: "rejected", reason: new StoreUnavailableError("no database") };
  await expect(all).resolves.toEqual([refused, refused]);
  await expect(gather("alice", "3", 100)).resolves.toBe("alone 3");
});
