import { languages } from "@reports/core/report";
import { expect, test } from "vitest";
import { createAmountFormatter } from "./amount-formatter.ts";
import { getNumberFormatter } from "./number-formatter.ts";

const plain = (text: string): string => text.replaceAll("\u00A0", " ");

test.each([
  ["en", "1 d 2 h 03 min 04.5 s"],
  ["de", "1 d 2 h 03 min 04,5 s"],
  ["fr", "1 j 2 h 03 min 04,5 s"],
  ["nl", "1 d 2 u 03 min 04,5 s"],
  ["es", "1 d 2 h 03 min 04,5 s"],
  ["pl", "1 d 2 h 03 min 04,5 s"],
] as const satisfies readonly (readonly [(typeof languages)[number], string])[])(
  "a duration in the language %s has the units and decimal sign of that language",
  (language, expected) => {
    expect(plain(getNumberFormatter(language, language).duration.write("93784.5"))).toBe(expected);
  },
);

test.each([
  ["0", undefined, "0 s"],
  ["-0.0004", undefined, "0 s"],
  ["0.25", undefined, "0.25 s"],
  ["59.9996", undefined, "1 min"],
  ["60", undefined, "1 min"],
  ["3900", undefined, "1 h 05 min"],
  ["3600.04", undefined, "1 h 00 min 00.04 s"],
  ["183600", undefined, "2 d 3 h"],
  ["172801", undefined, "2 d 0 h 00 min 01 s"],
  ["-5400.000001", undefined, "-1 h 30 min"],
  ["360000000.000000", undefined, "4,166 d 16 h"],
  ["5400.333333", 0, "1 h 30 min"],
  ["5400.333333", 1, "1 h 30 min 00.3 s"],
  ["0.0000005", 30, "0.0000005 s"],
  ["NaN", undefined, "NaN"],
] as const)("a duration of %s seconds with %s decimal places is shown as %s", (text, digits, expected) => {
  const shown = { kind: "duration", ...(digits === undefined ? {} : { digits }) } as const;
  expect(plain(createAmountFormatter(shown, getNumberFormatter("en", "en")).write(text))).toBe(expected);
});

test.each([
  ["0", "0 s"],
  ["5400", "1.5 h"],
  ["-183600", "-2.1 d"],
  ["360000000", "4.2K d"],
  ["Infinity", "Infinity"],
])("a duration of %s seconds is shown as %s where there is little space", (text, expected) => {
  expect(plain(getNumberFormatter("en", "en").duration.short(text))).toBe(expected);
});

test("no line break can part a duration", () => {
  for (const language of languages)
    expect(getNumberFormatter(language, language).duration.write("93784.5")).not.toContain(" ");
});
