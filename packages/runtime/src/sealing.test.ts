import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSealer } from "./sealing.ts";

test("a sealed (encrypted) text opens only unchanged, with its context and its key", () => {
  const [old, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const sealed = createSealer([old]).seal("whsec_ä", "a");
  expect(sealed).not.toContain("whsec");
  expect(createSealer([old]).seal("whsec_ä", "a")).not.toBe(sealed);
  expect(createSealer([next, old]).open(sealed, "a")).toBe("whsec_ä");
  expect(createSealer([next]).open(createSealer([next, old]).seal("x", "a"), "a")).toBe("x");
  expect(createSealer([old]).open(sealed, "b")).toBeNull();
  expect(createSealer([other]).open(sealed, "a")).toBeNull();
  // The last character stays the same, because some of its bits are padding that decoding ignores.
  for (let at = 0; at < sealed.length - 1; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    expect(createSealer([old]).open(changed, "a")).toBeNull();
  }
  for (const nonsense of ["", ".", "a.b", sealed.slice(0, 20)])
    expect(createSealer([old]).open(nonsense, "a")).toBeNull();
});
