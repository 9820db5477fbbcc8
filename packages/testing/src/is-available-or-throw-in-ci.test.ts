import { delimiter, dirname } from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { findProgramPath, isAvailableOrThrowInCi, skipReasonPrefix } from "./is-available-or-throw-in-ci.ts";

const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
afterEach(() => warn.mockClear());
// Other test files run in the same process and need the real console.warn.
afterAll(() => warn.mockRestore());

test("isAvailableOrThrowInCi returns true and logs nothing if the program is available", () => {
  expect(isAvailableOrThrowInCi("a", true, {})).toBe(true);
  expect(isAvailableOrThrowInCi("a", true, { CI: "true" })).toBe(true);
  expect(warn).not.toHaveBeenCalled();
});

test("isAvailableOrThrowInCi logs the reason if a program is missing, and throws in CI instead", () => {
  expect(isAvailableOrThrowInCi("abacus (apt-get install abacus)", false, {})).toBe(false);
  expect(warn.mock.calls).toEqual([[`${skipReasonPrefix}abacus (apt-get install abacus).`]]);
  for (const CI of ["true", "1"])
    expect(() => isAvailableOrThrowInCi("abacus (apt-get install abacus)", false, { CI })).toThrow(
      "CI needs abacus (apt-get install abacus)",
    );
});

test("findProgramPath searches PATH first, then the given folders", () => {
  const folder = dirname(process.execPath);
  const before = process.env.PATH;
  try {
    process.env.PATH = ["/nowhere", folder].join(delimiter);
    expect(findProgramPath("node")).toBe(process.execPath);
    process.env.PATH = "";
    expect(findProgramPath("node")).toBeNull();
    expect(findProgramPath("node", ["/nowhere", folder])).toBe(process.execPath);
  } finally {
    process.env.PATH = before;
  }
});
