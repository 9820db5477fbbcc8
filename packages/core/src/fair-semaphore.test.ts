import { expect, test } from "vitest";
import { createFairSemaphore } from "./fair-semaphore.ts";

/** Places of which each is held until the test says otherwise; `begun` is who has got one so far, in order. */
function place(limits: Parameters<typeof createFairSemaphore>[0]) {
  const semaphore = createFairSemaphore(limits, () => new Error("turned away"));
  const begun: string[] = [];
  const leaves = new Map<string, (() => void)[]>();
  const enter = async (caller: string): Promise<void> => {
    const leave = await semaphore.acquire(caller, new AbortController().signal);
    begun.push(caller);
    leaves.set(caller, [...(leaves.get(caller) ?? []), leave]);
  };
  const settled = async () => new Promise((resolve) => setImmediate(resolve));
  return {
    semaphore,
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
  const { begun, ask, semaphore } = place({ permits: 6, reserved: 2, maxWaiting: 100 });
  await ask("aaabbb");
  expect(begun.join("")).toBe("aaab");
  expect(semaphore.waiting).toBe(2);
  await ask("cd");
  expect(begun.join("")).toBe("aaabcd");
});

test("alone, a caller may have all but the kept places, and whatever comes free goes to who has least", async () => {
  const { begun, ask, leave } = place({ permits: 3, reserved: 1, maxWaiting: 100 });
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
  const { begun, ask, leave } = place({ permits: 1, reserved: 0, maxWaiting: 100 });
  await ask("xaaaabc");
  for (const caller of ["x", "a", "b", "c", "a", "a"]) await leave(caller);
  expect(begun.join("")).toBe("xabcaaa");
});

test("whoever leaves waits no more, and a place that is given back twice is one place", async () => {
  const { semaphore } = place({ permits: 1, reserved: 0, maxWaiting: 100 });
  const signal = new AbortController().signal;
  const first = await semaphore.acquire("a", signal);
  const leaving = new AbortController();
  const left = semaphore.acquire("b", leaving.signal);
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  expect(semaphore.waiting).toBe(0);
  first();
  first();
  const second = await semaphore.acquire("c", signal);
  const third = semaphore.acquire("d", signal);
  expect(semaphore.waiting).toBe(1);
  second();
  (await third)();
});

test("when no more may wait, the caller with most of it loses the latest to one who has less, and nobody else does", async () => {
  const { ask, semaphore, enter } = place({ permits: 1, reserved: 0, maxWaiting: 3 });
  await enter("x");
  await ask("aaa");
  await ask("b");
  expect(semaphore.waiting).toBe(3);
  await expect(enter("a")).rejects.toThrow("turned away");
  // b has one, and a two: a second one of b's would take from a caller who has no more than that.
  await expect(enter("b")).rejects.toThrow("turned away");
});

test("whether a caller would be refused is told before anything is spent, of each caller separately", async () => {
  const { ask, semaphore, leave } = place({ permits: 1, reserved: 0, maxWaiting: 2 });
  expect(() => semaphore.assertAvailable("a")).not.toThrow();
  await ask("aaa");
  expect(() => semaphore.assertAvailable("a")).toThrow("turned away");
  // One of a's would make way.
  expect(() => semaphore.assertAvailable("b")).not.toThrow();
  await ask("b");
  expect(() => semaphore.assertAvailable("c")).toThrow("turned away");
  await leave("a");
  expect(() => semaphore.assertAvailable("c")).not.toThrow();
});

test("work that fails gives its permit back", async () => {
  const { semaphore } = place({ permits: 1, reserved: 0, maxWaiting: 0 });
  await expect(semaphore.run("a", async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run("a", async () => "done")).toBe("done");
});
