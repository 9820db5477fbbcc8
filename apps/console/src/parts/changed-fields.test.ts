import { expect, test } from "vitest";
import { buildPatch, findChangedTexts } from "./changed-fields.ts";

test("buildPatch returns only changed fields, and null for a cleared field", () => {
  const before = {
    name: "a",
    cron: "0 7 * * *",
    endsAt: "2030-01-01T00:00:00.000Z",
    options: { format: "pdf", sort: ["x"] },
  };
  expect(buildPatch(before, before)).toEqual({});
  expect(buildPatch(before, { name: "b", cron: "0 7 * * *", options: { format: "csv" } })).toEqual({
    name: "b",
    endsAt: null,
    options: { format: "csv", sort: null },
  });
  expect(buildPatch({ types: ["A"] }, { types: ["A", "B"] })).toEqual({ types: ["A", "B"] });
  expect(buildPatch({ types: null }, { types: null })).toEqual({});
});

test("findChangedTexts returns old and new texts, and empty texts for missing values", () => {
  const before = [
    ["Name", "a"],
    ["Time", "Every day"],
    ["Until", "2030"],
  ] as const;
  const after = [
    ["Name", "a"],
    ["Time", "Every week"],
    ["From", "2029"],
  ] as const;
  expect(findChangedTexts(before, after)).toEqual([
    { label: "Time", before: "Every day", after: "Every week" },
    { label: "Until", before: "2030", after: "" },
    { label: "From", before: "", after: "2029" },
  ]);
});
