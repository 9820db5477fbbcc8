import { expect, test } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

test("limits the bytes per caller and in total, and reuses released bytes", () => {
  const bodies = createBodyBudget({ totalBytes: 100, perPrincipalBytes: 60 });
  const free = bodies.take("alice", 60);
  expect(() => bodies.take("alice", 1)).toThrow(/per caller/);
  const freeOther = bodies.take("bob", 40);
  expect(() => bodies.take("carol", 1)).toThrow(/of all callers/);
  expect(() => bodies.take("bob", 21)).toThrow(/per caller/);
  free();
  bodies.take("alice", 60);
  freeOther();
  expect(bodies.takenBytes).toBe(60);
});

test("empty bodies reserve no bytes and do not change the limit", () => {
  const bodies = createBodyBudget({ totalBytes: 100, perPrincipalBytes: 60 });
  const free = [bodies.take("alice", 0), bodies.take("alice", 0), bodies.take("alice", 10), bodies.take("alice", 0)];
  for (const freeOne of free) freeOne();
  expect(bodies.takenBytes).toBe(0);
  expect(() => bodies.take("alice", 61)).toThrow(/per caller/);
});
