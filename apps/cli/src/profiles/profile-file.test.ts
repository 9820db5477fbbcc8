import { join } from "node:path";
import { expect, test } from "vitest";
import { requireProfileNameOrThrow, getProfileFilePath, writeProfiles } from "./profile-file.ts";
import { readTokenExpiryMs } from "./token-expiry.ts";

test("the file of profiles is in the user's folder for settings", () => {
  expect(getProfileFilePath({ HOME: "/home/ann" }, "linux")).toBe("/home/ann/.config/reports/profiles.json");
  expect(getProfileFilePath({ HOME: "/home/ann", XDG_CONFIG_HOME: "/etc/ann" }, "linux")).toBe(
    "/etc/ann/reports/profiles.json",
  );
  expect(getProfileFilePath({ HOME: "/home/ann", XDG_CONFIG_HOME: "relative" }, "darwin")).toBe(
    "/home/ann/.config/reports/profiles.json",
  );
  expect(getProfileFilePath({ APPDATA: "/Users/ann/AppData/Roaming" }, "win32")).toBe(
    "/Users/ann/AppData/Roaming/reports/profiles.json",
  );
});

test("if the folder for profiles cannot be made, the error says it in one sentence", () => {
  const path = join(import.meta.filename, "reports", "profiles.json");
  expect(() => writeProfiles(path, new Map())).toThrow(/^The profile cannot be saved: ENOTDIR/);
});

test.each(["", "../x", ".x", "a b", "a/b", "x".repeat(65)])("a profile cannot have the name %j", (name) => {
  expect(() => requireProfileNameOrThrow(name)).toThrow("The name of a profile is");
});

test.each([
  ["opaque", null],
  ["a.b.c", null],
  [`a.${Buffer.from('{"exp":1800000000}').toString("base64url")}.c`, 1_800_000_000_000],
  [`a.${Buffer.from('{"exp":"soon"}').toString("base64url")}.c`, null],
])("readTokenExpiryMs reads the claim exp of %j, and returns null without a valid one", (token, expiry) =>
  expect(readTokenExpiryMs(token)).toBe(expiry),
);
