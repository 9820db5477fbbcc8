import { expect, test } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Places of which each is held until the test says otherwise; `begun` is who has got one so far, in order. */
function place(limits: Parameters<typeof createFairTurns>[0]) {
  const turns = createFairTurns(limits, () => new Error("turned away"));
  const begun: string[] = [];
  const leaves = new Map<string, (() => void)[]>();
  const enter = async (caller: string): Promise<void> => {
    const leave = await turns.enter(caller, new AbortController().signal);
    begun.push(caller);
    leaves.set(caller, [...(leaves.get(caller) ?? []), leave]);
  };
  const settled = async () => new Promise((resolve) => setImmediate(resolve));
  return {
    turns,
    begun,
    enter,
    /** Enters as often as the name stands there, and waits for none of it. */
    async ask(callers: string) {
      void Promise.allSettled([...callers].map(async (caller) => enter(caller)));
      await settled();
    },
    async leave(caller: string) {
      leaves.get(caller)!.pop()!();
      await settled();
    },
  };
}

test("callers who take all that they may leave places to those who have none", async () => {
  const { begun, ask, turns } = place({ atOnce: 6, kept: 2, waiting: 100 });
  await ask("aaabbb");
  expect(begun.join("")).toBe("aaab");
  expect(turns.waiting).toBe(2);
  await ask("cd");
  expect(begun.join("")).toBe("aaabcd");
});

test("alone, a caller may have all but the kept places, and whatever comes free goes to who has least", async () => {
  const { begun, ask, leave } = place({ atOnce: 3, kept: 1, waiting: 100 });
  await ask("aaaa");
  expect(begun.join("")).toBe("aa");
  await ask("b");
  await ask("bcd");
  expect(begun.join("")).toBe("aab");
  // Both have none and come before everybody who has one, in the order in which they came.
  await leave("a");
  expect(begun.join("")).toBe("aabc");
  await leave("a");
  expect(begun.join("")).toBe("aabcd");
  // One place is kept now, and everybody who waits has one or has just given it back: that is a.
  await leave("c");
  expect(begun.join("")).toBe("aabcda");
});

test("callers who wait with nothing under way are served in turn, however much one of them asks for", async () => {
  const { begun, ask, leave } = place({ atOnce: 1, kept: 0, waiting: 100 });
  await ask("xaaaabc");
  for (const caller of ["x", "a", "b", "c", "a", "a"]) await leave(caller);
  expect(begun.join("")).toBe("xabcaaa");
});

test("whoever leaves waits no more, and a place that is given back twice is one place", async () => {
  const { turns } = place({ atOnce: 1, kept: 0, waiting: 100 });
  const signal = new AbortController().signal;
  const first = await turns.enter("a", signal);
  const leaving = new AbortController();
  const left = turns.enter("b", leaving.signal);
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(turns.waiting).toBe(0);
  first();
  first();
  const second = await turns.enter("c", signal);
  const third = turns.enter("d", signal);
  expect(turns.waiting).toBe(1);
  second();
  (await third)();
});

test("when no more may wait, the caller with most of it loses the latest to one who has less, and nobody else does", async () => {
  const { ask, turns, enter } = place({ atOnce: 1, kept: 0, waiting: 3 });
  await enter("x");
  await ask("aaa");
  await ask("b");
  expect(turns.waiting).toBe(3);
  await expect(enter("a")).rejects.toThrow("turned away");
  // b has one, and a two: a second one of b's would take from a caller who has no more than that.
  await expect(enter("b")).rejects.toThrow("turned away");
});
