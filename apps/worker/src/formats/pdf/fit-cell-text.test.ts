import type { ColumnKind } from "@reports/core/report";
import { assert, bigInt, constantFrom, double, integer, property, string } from "fast-check";
import { expect, test } from "vitest";
import { createCellFormatContext, createCellFormatter } from "./cell-formatter.ts";
import { breakTextAtWidth, fitCellText, type FittedText } from "./fit-cell-text.ts";
import { FontSet } from "./font-set.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";

const size = 80;
const pen = new PdfTextPen(new FontSet());

function fitted(kind: ColumnKind, value: string, maxEm: number, given: { locale?: string; keepsEnd?: true } = {}) {
  const conventions = createCellFormatContext({ locale: given.locale ?? "en", language: "en", timezone: "UTC" });
  const { numbers } = conventions;
  const column = { key: "x", title: "X", kind, width: 10, ...(given.keepsEnd ? { keepsEnd: true as const } : {}) };
  const text = createCellFormatter(column, conventions)(value);
  return fitCellText(pen, { column, value, text, bold: false, size, maxEm, numbers });
}

const widthOf = ({ text, size: own }: FittedText): number => (pen.measure(text, false) * own) / 1000;

test("a number of any kind and length fits its column and is never cut", () => {
  const kinds = constantFrom<ColumnKind>("integer", "bigint", "decimal", "ratio", "bytes");
  const locales = constantFrom("en", "de-DE", "hi-IN", "ar-EG", "fr-FR");
  assert(
    property(
      kinds,
      bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      locales,
      integer({ min: 1500, max: 12_000 }),
      (kind, value, locale, maxEm) => {
        const shown = fitted(kind, String(value), maxEm, { locale });
        expect(shown.text).not.toContain("…");
        expect(widthOf(shown)).toBeLessThanOrEqual((maxEm * size) / 1000);
        expect(shown.size).toBeGreaterThan(0);
      },
    ),
  );
});

test.each([
  ["bigint", "123456789", 4600, "123,456,789"],
  ["bigint", "16490000000000", 3000, "16.5T"],
  ["decimal", "123456789012345678901234567890.5", 3600, "1.23E29"],
  ["bytes", "16490000000000", 3000, "16.5\u00A0TB"],
  ["timestamp", "2026-02-28 13:14:15+00", 7000, "28 Feb 2026, 13:14"],
] as const)(
  "the %s %s in %d em is written smaller, or rounded if too small to read: %s",
  (kind, value, maxEm, expected) => {
    expect(fitted(kind, value, maxEm).text).toBe(expected);
  },
);

test("a text of a column that keeps ends is cut at its start and fits the column", () => {
  expect(fitted("text", "tracking.umbra-bank.example.net", 9000, { keepsEnd: true }).text).toMatch(/^….*example\.net$/);
  assert(
    property(
      string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      double({ min: 0.05, max: 0.95, noNaN: true }),
      (value, share) => {
        const maxEm = Math.max(1200, pen.measure(value, false) * share);
        const shown = fitted("text", value, maxEm, { keepsEnd: true });
        expect(widthOf(shown)).toBeLessThanOrEqual((maxEm * size) / 1000);
      },
    ),
  );
});

test.each([
  ['{"Certificate expiring","HSTS missing","Proxy down"}', 18_500, "Certificate expiring, HSTS missing +1"],
  ['{"Certificate expiring","HSTS missing","Proxy down"}', 12_000, "Certificate expiring +2"],
  ['{"Certificate expiring","HSTS missing"}', 7000, expect.stringMatching(/^Certi.*… \+1$/)],
  // A list with one element is returned whole, because the pen cuts its end like that of a text.
  ['{"Certificate expiring"}', 7000, "Certificate expiring"],
  ["{a,NULL,bb,bb,bb}", 3700, "a, – +3"],
])("the list %s in %d em ends with a complete element and the number of others", (value, maxEm, expected) => {
  expect(fitted("list", value, maxEm).text).toEqual(expected);
});

test("a list of any length fits a column of any width", () => {
  assert(
    property(integer({ min: 2, max: 40 }), integer({ min: 1200, max: 20_000 }), (count, maxEm) => {
      const value = `{${Array.from({ length: count }, (_, at) => `element${at}`).join(",")}}`;
      const shown = fitted("list", value, maxEm);
      expect(widthOf(shown)).toBeLessThanOrEqual((maxEm * size) / 1000);
    }),
  );
});

test.each([
  ["tracking.umbra-logistics.example.net", "tracking.umbra-logistics.", "example.net"],
  ["https://node-2452.internal.example:8443", "https://node-2452.internal.", "example:8443"],
  ["Sectigo RSA Organization Validation", "Sectigo RSA Organization ", "Validation"],
  ["x".repeat(36), "x".repeat(28), "xxxxxxxx"],
])("the text %s breaks after %s", (text, first, rest) => {
  expect(breakTextAtWidth(pen, text, false, 15_000)).toEqual([first, rest]);
});

test("a text of any characters breaks into a part that fits and a rest", () => {
  assert(
    property(
      string({ unit: "grapheme", minLength: 2, maxLength: 60 }),
      integer({ min: 2000, max: 20_000 }),
      (text, maxEm) => {
        const [first, rest] = breakTextAtWidth(pen, text, false, maxEm);
        expect(first + rest).toBe(text);
        expect(first.length).toBeGreaterThan(0);
        expect(first.isWellFormed()).toBe(text.isWellFormed());
      },
    ),
  );
});
