import { expect, test } from "vitest";
import { getInstantFormatter } from "./filter-words.ts";
import { getNumberFormatter } from "./number-formatter.ts";
import { getDateFormatter } from "./date-formatter.ts";

const at = new Date("2026-11-22T13:18:46Z");

test.each([
  ["en", "en", "22 Nov 2026, 13:18", "22 November 2026, 13:18"],
  ["de", "de", "22.11.2026, 13:18", "22. November 2026 um 13:18"],
  ["en", "de-DE", "22.11.2026, 13:18", "22. November 2026, 13:18"],
  ["pl", "en-US", "lis 22, 2026, 01:18 PM", "listopada 22, 2026, 1:18 PM"],
  ["en", "ar", "22/11/2026, 01:18 pm", "22 November 2026, 1:18 pm"],
  // Long dates in Japanese and Hebrew contain words other than month names, so these rows have the numeric format.
  ["en", "ja", "2026/11/22, 13:18", "2026/11/22, 13:18"],
  ["fr", "he", "22.11.2026, 13:18", "22.11.2026, 13:18"],
] as const)("a document in %s writes times in the order of the locale %s", (language, locale, cell, cover) => {
  const dates = getDateFormatter(locale, language);
  const plain = (text: string) => text.replaceAll("\u202F", " ");
  expect(plain(`${dates.beforeTime("2026-11-22")}${dates.time("13:18")}`)).toBe(cell);
  expect(plain(getInstantFormatter("UTC", locale, language)(at))).toBe(cover);
});

test.each([
  ["en", "ar", "-1,234.5", "5.12%", "16.5T"],
  ["en", "fa", "−1,234.5", "5.12%", "16.5T"],
  ["en", "de-DE", "-1.234,5", "5,12\u00A0%", "16,5T"],
  ["de", "en-US", "-1,234.5", "5.12%", "16.5\u00A0Bio."],
] as const)("a document in %s writes Latin digits with the locale %s", (language, locale, decimal, percent, short) => {
  const numbers = getNumberFormatter(locale, language);
  expect(numbers.decimal("-1234.5")).toBe(decimal);
  expect(numbers.percent("0.0512")).toBe(percent);
  expect(numbers.short("16490000000000")).toBe(short);
});

test("a locale in the document's language keeps the digits that it names (-u-nu-)", () => {
  expect(getNumberFormatter("en-u-nu-arab", "en").decimal("12")).toBe("١٢");
  expect(getNumberFormatter("en-u-nu-arab", "de").decimal("12")).toBe("12");
});
