import { expect, test } from "vitest";
import { createFairSlots } from "./fair-slots.ts";

/** Work that is over when it is told so; the order in which it began. */
function createWork(limits: Parameters<typeof createFairSlots>[0]) {
  const slots = createFairSlots(limits);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const outcomes = new Map<string, Promise<string>>();
  const add = (caller: string, name: string): void => {
    const outcome = slots.run(caller, async () => {
      begun.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(name, resolve);
      await promise;
      return name;
    });
    outcomes.set(
      name,
      outcome.catch((error: unknown) => String((error as { code?: unknown }).code)),
    );
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    await outcomes.get(name);
  };
  return { slots, add, end, begun, outcomeOf: async (name: string) => outcomes.get(name) };
}

test("callers take turns, whoever has more waiting", async () => {
  const { add, end, begun } = createWork({ running: 1, runningOfOne: 1, waiting: 10 });
  for (const name of ["a1", "a2", "a3"]) add("a", name);
  add("b", "b1");
  add("c", "c1");
  for (const name of ["a1", "a2", "b1", "c1", "a3"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3"]);
});

test("one caller never has more than its share, though slots are free", async () => {
  const { add, end, begun } = createWork({ running: 4, runningOfOne: 2, waiting: 10 });
  for (const name of ["a1", "a2", "a3"]) add("a", name);
  add("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await end("a1");
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

test("where no more may wait, whoever has most waiting gives way", async () => {
  const { add, end, begun, outcomeOf } = createWork({ running: 1, runningOfOne: 1, waiting: 3 });
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) add("a", name);
  expect(await outcomeOf("a5")).toBe("login-busy");
  add("b", "b1");
  expect(await outcomeOf("a4")).toBe("login-busy");
  for (const name of ["a1", "a2", "b1", "a3"]) await end(name);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

test("whether there is room is told before anything is spent, of each caller by itself", async () => {
  const { slots, add, end } = createWork({ running: 1, runningOfOne: 1, waiting: 2 });
  expect(() => slots.assertRoom("a")).not.toThrow();
  for (const name of ["a1", "a2", "a3"]) add("a", name);
  expect(() => slots.assertRoom("a")).toThrow(/Too many passwords/);
  expect(() => slots.assertRoom("b")).not.toThrow();
  add("b", "b1");
  expect(() => slots.assertRoom("c")).toThrow(/Too many passwords/);
  for (const name of ["a1", "a2", "b1"]) await end(name);
  expect(() => slots.assertRoom("c")).not.toThrow();
});

test("work that fails gives its slot back", async () => {
  const slots = createFairSlots({ running: 1, runningOfOne: 1, waiting: 1 });
  await expect(slots.run("a", async () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await slots.run("a", async () => "done")).toBe("done");
});
