import { expect, test } from "vitest";
import { createSheetName } from "./sheet-name.ts";

test.each([
  ["Proxy inventory", [], "Proxy inventory"],
  ["Needs action: certificates that have expired or are about to", [], "Needs action"],
  ["Domains and certificates of all regions", [], "Domains and certificates of all"],
  ["Sheets", ["Sheets", "sheets 2"], "Sheets 3"],
  ["Domains and certificates of all regions", ["Domains and certificates of all"], "Domains and certificates of 2"],
  ["a/b [c]: d?", [], "a b c d"],
  ["'quoted'", [], "quoted"],
  ["History", [], "History 2"],
  ["Donaudampfschifffahrtsgesellschaftskapitän", [], "Donaudampfschifffahrtsgesellsch"],
  [
    "日本語の報告書の題名がとても長い場合でも三十一文字までしか書けませんので切ります",
    [],
    "日本語の報告書の題名がとても長い場合でも三十一文字までしか書け",
  ],
  [":?", [], "Sheet"],
])("the title %s gets the sheet name %3$s", (title, taken, name) => {
  expect(createSheetName(title, taken)).toBe(name);
  expect(name.length).toBeLessThanOrEqual(31);
});
