import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { gatherWrites } from "./gather-writes.ts";

afterEach(() => void vi.useRealTimers());

/** Opens writers that wait until the test completes them, and that record what they were given. */
function openWriters() {
  const written: string[][] = [];
  const held: PromiseWithResolvers<readonly string[] | null>[] = [];
  const gather = gatherWrites<string, string>({
    together: async (items) => {
      written.push([...items]);
      const turn = Promise.withResolvers<readonly string[] | null>();
      held.push(turn);
      return turn.promise;
    },
    alone: async (item) => {
      written.push([item]);
      if (item.startsWith("bad")) throw new Error(`refused ${item}`);
      return `alone ${item}`;
    },
  });
  return { written, held, gather };
}

test("a single item is written alone and immediately", async () => {
  const { written, gather } = openWriters();
  await expect(gather("alice", "1", 100)).resolves.toBe("alone 1");
  await expect(gather("alice", "2", 100)).resolves.toBe("alone 2");
  expect(written).toEqual([["1"], ["2"]]);
});

test("concurrent items of one key are written together, those of other keys apart", async () => {
  const { written, held, gather } = openWriters();
  const [one, two, other] = [gather("alice", "1", 100), gather("alice", "2", 100), gather("bob", "3", 100)];
  await expect(other).resolves.toBe("alone 3");
  expect(written).toEqual([["1", "2"], ["3"]]);
  held[0]!.resolve(["first", "second"]);
  await expect(Promise.all([one, two])).resolves.toEqual(["first", "second"]);
});

test("items that arrive during a write wait for it, but only briefly", async () => {
  // With real timers, the wait might be over before the test checks it on a busy machine.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { written, held, gather } = openWriters();
  const first = [gather("alice", "1", 100), gather("alice", "2", 100)];
  await nextTurn();
  const second = [gather("alice", "3", 100), gather("alice", "4", 100)];
  await nextTurn();
  expect(written).toEqual([["1", "2"]]);
  // The first write does not end.
  vi.advanceTimersByTime(100);
  expect(written).toEqual([
    ["1", "2"],
    ["3", "4"],
  ]);
  for (const [place, turn] of held.entries()) turn.resolve([`a${place}`, `b${place}`]);
  await expect(Promise.all([...first, ...second])).resolves.toEqual(["a0", "b0", "a1", "b1"]);
});

test("no more items are written together than are allowed", async () => {
  const { written, held, gather } = openWriters();
  const all = ["1", "2", "3", "4", "5"].map(async (item) => gather("alice", item, 2));
  await expect.poll(() => written.length).toBe(2);
  for (const turn of held) turn.resolve(["a", "b"]);
  await expect(Promise.all(all)).resolves.toEqual(["a", "b", "a", "b", "alone 5"]);
});

test("if items can't be written together, each is written alone with its own result", async () => {
  const { held, gather } = openWriters();
  const all = Promise.allSettled(["1", "bad", "3"].map(async (item) => gather("alice", item, 100)));
  await expect.poll(() => held.length).toBe(1);
  held[0]!.resolve(null);
  await expect(all).resolves.toEqual([
    { status: "fulfilled", value: "alone 1" },
    { status: "rejected", reason: new Error("refused bad") },
    { status: "fulfilled", value: "alone 3" },
  ]);
});

test("an error of a joint write rejects its items and no others", async () => {
  const { held, gather } = openWriters();
  const all = Promise.allSettled(["1", "2"].map(async (item) => gather("alice", item, 100)));
  await expect.poll(() => held.length).toBe(1);
  held[0]!.reject(new Error("no database"));
  const refused = { status: "rejected", reason: new Error("no database") };
  await expect(all).resolves.toEqual([refused, refused]);
  await expect(gather("alice", "3", 100)).resolves.toBe("alone 3");
});
