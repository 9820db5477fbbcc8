import { expect, test } from "vitest";
import { createBodyMemoryBudget } from "./body-memory-budget.ts";

test("the budget of request bodies limits bytes per caller and in total", () => {
  const bodies = createBodyMemoryBudget({ totalBytes: 100, perPrincipalBytes: 60 });
  const release = bodies.reserve("alice", 60);
  expect(() => bodies.reserve("alice", 1)).toThrow(/per caller/);
  const releaseOther = bodies.reserve("bob", 40);
  expect(() => bodies.reserve("carol", 1)).toThrow(/of all callers/);
  expect(() => bodies.reserve("bob", 21)).toThrow(/per caller/);
  release();
  bodies.reserve("alice", 60);
  releaseOther();
  expect(bodies.reservedBytes).toBe(60);
});

test("empty request bodies reserve no bytes of the budget of request bodies", () => {
  const bodies = createBodyMemoryBudget({ totalBytes: 100, perPrincipalBytes: 60 });
  const release = [
    bodies.reserve("alice", 0),
    bodies.reserve("alice", 0),
    bodies.reserve("alice", 10),
    bodies.reserve("alice", 0),
  ];
  for (const releaseOne of release) releaseOne();
  expect(bodies.reservedBytes).toBe(0);
  expect(() => bodies.reserve("alice", 61)).toThrow(/per caller/);
});
