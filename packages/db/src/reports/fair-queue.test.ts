import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

test("a fair queue returns each entry once and in order if limits of a caller differ", () => {
  const queue = createFairQueue<{ readonly caller: string; readonly most: number; readonly item: string }>();
  for (const [item, most] of [["a1", 1] as const, ["a2", 1] as const, ["a3", 9] as const])
    queue.add({ caller: "alice", most, item });
  for (const item of ["b1", "b2", "b3"]) queue.add({ caller: "bob", most: 9, item });
  const batches: string[][] = [];
  while (queue.size > 0) batches.push(queue.take(100).map(({ item }) => item));
  expect(batches).toEqual([
    ["a1", "b1", "b2", "b3"],
    ["a2", "a3"],
  ]);
});
