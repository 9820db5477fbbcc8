import { expect, test } from "vitest";
import { takeTurns } from "./take-turns.ts";

test("each entry is taken once and in order if the entries of a caller differ in their limits", () => {
  const turns = takeTurns<{ readonly caller: string; readonly most: number; readonly item: string }>();
  for (const [item, most] of [["a1", 1] as const, ["a2", 1] as const, ["a3", 9] as const])
    turns.add({ caller: "alice", most, item });
  for (const item of ["b1", "b2", "b3"]) turns.add({ caller: "bob", most: 9, item });
  const batches: string[][] = [];
  while (turns.size > 0) batches.push(turns.take(100).map(({ item }) => item));
  expect(batches).toEqual([
    ["a1", "b1", "b2", "b3"],
    ["a2", "a3"],
  ]);
});
