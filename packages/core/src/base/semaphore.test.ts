import { setImmediate as settle } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  createSemaphore,
  createFairSemaphorePolicy,
  type HeldPermitCounts,
  type SemaphorePolicy,
} from "./semaphore.ts";

function open(limits: { readonly permits: number; readonly reserved: number; readonly maxWaiting: number }) {
  const semaphore = createSemaphore<string>({
    ...createFairSemaphorePolicy(limits.permits, limits.reserved),
    maxWaiting: limits.maxWaiting,
    refuse: () => new Error("turned away"),
  });
  const begun: string[] = [];
  const leaves = new Map<string, (() => void)[]>();
  const enter = async (caller: string): Promise<void> => {
    const leave = await semaphore.acquire(caller, new AbortController().signal);
    begun.push(caller);
    leaves.set(caller, [...(leaves.get(caller) ?? []), leave]);
  };
  return {
    semaphore,
    begun,
    enter,
    async ask(callers: string) {
      void Promise.allSettled([...callers].map(async (caller) => enter(caller)));
      await settle();
    },
    async leave(caller: string) {
      leaves.get(caller)!.pop()!();
      await settle();
    },
  };
}

test("permits reserved for keys without a permit are refused to keys that hold one", async () => {
  const { begun, ask, semaphore } = open({ permits: 6, reserved: 2, maxWaiting: 100 });
  await ask("aaabbb");
  expect(begun.join("")).toBe("aaab");
  expect(semaphore.waiting).toBe(2);
  await ask("cd");
  expect(begun.join("")).toBe("aaabcd");
});

test("a released permit goes to the waiting key that holds the fewest permits", async () => {
  const { begun, ask, leave } = open({ permits: 3, reserved: 1, maxWaiting: 100 });
  await ask("aaaa");
  expect(begun.join("")).toBe("aa");
  await ask("b");
  await ask("bcd");
  expect(begun.join("")).toBe("aab");
  await leave("a");
  expect(begun.join("")).toBe("aabc");
  await leave("a");
  expect(begun.join("")).toBe("aabcd");
  await leave("c");
  expect(begun.join("")).toBe("aabcda");
});

test("a semaphore serves waiting keys in turn, however many calls wait per key", async () => {
  const { begun, ask, leave } = open({ permits: 1, reserved: 0, maxWaiting: 100 });
  await ask("xaaaabc");
  for (const caller of ["x", "a", "b", "c", "a", "a"]) await leave(caller);
  expect(begun.join("")).toBe("xabcaaa");
});

test("an aborted call leaves a semaphore's queue, and a double release counts once", async () => {
  const { semaphore } = open({ permits: 1, reserved: 0, maxWaiting: 100 });
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

test("a new call to a full semaphore evicts a call of the key with most waiting calls", async () => {
  const { ask, semaphore, enter } = open({ permits: 1, reserved: 0, maxWaiting: 3 });
  await enter("x");
  await ask("aaa");
  await ask("b");
  expect(semaphore.waiting).toBe(3);
  await expect(enter("a")).rejects.toThrow("turned away");
  // The caller b has one waiting call and a has two. With a second call, b would have as many as a, so b evicts none.
  await expect(enter("b")).rejects.toThrow("turned away");
});

test("assertAvailable throws for exactly those keys that acquire would refuse", async () => {
  const { ask, semaphore, leave } = open({ permits: 1, reserved: 0, maxWaiting: 2 });
  expect(() => semaphore.assertAvailable("a")).not.toThrow();
  await ask("aaa");
  expect(() => semaphore.assertAvailable("a")).toThrow("turned away");
  expect(() => semaphore.assertAvailable("b")).not.toThrow();
  await ask("b");
  expect(() => semaphore.assertAvailable("c")).toThrow("turned away");
  await leave("a");
  expect(() => semaphore.assertAvailable("c")).not.toThrow();
});

test("Semaphore.run releases its permit when its work rejects", async () => {
  const { semaphore } = open({ permits: 1, reserved: 0, maxWaiting: 0 });
  await expect(semaphore.run("a", async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run("a", async () => "done")).toBe("done");
});

type Key = "a" | "b" | "c";
interface Call {
  readonly key: Key;
  readonly leaving: AbortController;
  state: "waiting" | "held" | "left" | "done";
  release: () => void;
}

const policies: readonly (readonly [string, SemaphorePolicy<Key>])[] = [
  ["first in, first out", { mayAcquire: (_, { total }) => total < 2 }],
  ["fair by key", createFairSemaphorePolicy(2)],
  ["fair by key with a reserve", createFairSemaphorePolicy(3, 1)],
  [
    "by kind",
    { mayAcquire: (key, held) => held.total < 3 && (key !== "a" || held.of(key) < 1), rank: (key) => +(key !== "b") },
  ],
];
const anySteps = fc.array(
  fc.oneof(
    fc.constantFrom<Key>("a", "b", "c"),
    fc.record({ does: fc.constantFrom("release", "abort"), nth: fc.nat({ max: 20 }) }),
  ),
  { maxLength: 60 },
);

test.each(policies)(
  "under the semaphore policy '%s', random aborts and releases lose no waiting call",
  async (_, policy) => {
    const property = fc.asyncProperty(anySteps, async (steps) => {
      const semaphore = createSemaphore(policy);
      const calls: Call[] = [];
      const keysOf = (state: Call["state"]): readonly Key[] =>
        calls.filter((call) => call.state === state).map(({ key }) => key);
      const heldNow = (): HeldPermitCounts<Key> => {
        const keys = keysOf("held");
        return { total: keys.length, of: (key) => keys.filter((other) => other === key).length };
      };
      const rankOf = (key: Key): number => policy.rank?.(key, heldNow()) ?? 0;
      const ask = (key: Key): void => {
        const call: Call = { key, leaving: new AbortController(), state: "waiting", release: () => undefined };
        calls.push(call);
        const onAcquire = (): void => {
          expect(policy.mayAcquire(key, heldNow())).toBe(true);
          expect(calls.find((other) => other.key === key && other.state === "waiting")).toBe(call);
          const rivals = keysOf("waiting").filter((other) => policy.mayAcquire(other, heldNow()));
          expect(rankOf(key)).toBe(Math.min(...rivals.map(rankOf)));
          call.state = "held";
        };
        semaphore.acquire(key, call.leaving.signal, onAcquire).then(
          (release) => (call.release = release),
          () => (call.state = "left"),
        );
      };
      const releaseOne = (nth: number): void => {
        const held = calls.filter(({ state }) => state === "held");
        const call = held[nth % held.length];
        if (call === undefined) return;
        call.state = "done";
        call.release();
        call.release();
      };

      for (const step of steps) {
        if (typeof step === "string") ask(step);
        else if (step.does === "release") releaseOne(step.nth);
        else calls[step.nth % calls.length]?.leaving.abort();
        await settle();
        expect([semaphore.held.total, semaphore.waiting]).toEqual([heldNow().total, keysOf("waiting").length]);
        for (const key of keysOf("waiting")) expect(policy.mayAcquire(key, heldNow())).toBe(false);
      }
      while (heldNow().total > 0) {
        releaseOne(0);
        await settle();
      }
      expect(keysOf("waiting")).toEqual([]);
    });
    await fc.assert(property, { numRuns: 100 });
  },
);
