import { expect, test } from "vitest";
import { findCellClass, formatCell, findCellTone, toSafeLinkUrl } from "./format-cell.ts";
import { textColumnFixture } from "./text-column-fixture.fixture.ts";

const column = { ...textColumnFixture, key: "value" };

test.each([
  ["text", "TLS1.2", "TLS 1.2"],
  ["list", ["TLS1.2", "x"], "TLS 1.2; x"],
  ["boolean", true, "Yes"],
  ["timestamp", "2026-08-07T14:08:04+02:00", "7 Aug 2026, 14:08"],
  ["date", "2026-08-07", "7 Aug 2026"],
  ["integer", 8443, "8443"],
  ["bigint", "958019136444", "958,019,136,444"],
  ["bytes", "2329108320", "2.3\u00a0GB"],
  ["ratio", "0.005441", "0.54%"],
  ["decimal", "1.50", "1.50"],
  ["time", "08:30:15.25", "08:30:15.25"],
  ["duration", "NaN", "NaN\u00a0s"],
  ["text", null, ""],
] as const)("a cell of the kind %s shows the value %j as %s", (kind, value, expected) => {
  expect(formatCell({ ...column, kind, titles: { "TLS1.2": "TLS 1.2" } }, { value }, "en")).toBe(expected);
});

test.each([
  [{ kind: "decimal", unit: "kg" }, "12345.678", "de", "12.345,678\u00a0kg"],
  [{ kind: "integer", unit: "days" }, 12_345, "en", "12,345\u00a0days"],
  [{ kind: "integer", unit: "days" }, 1, "en", "1\u00a0day"],
  [{ kind: "integer", unit: "pages" }, 1, "en", "1\u00a0pages"],
  [{ kind: "decimal", currency: "EUR" }, "12345678901234567890.5", "de", "12.345.678.901.234.567.890,50\u00a0€"],
  [{ kind: "decimal", currencyColumn: "code" }, "1234.5", "en", "$1,234.50"],
  [{ kind: "decimal", currencyColumn: "unknown" }, "1.125", "de", "1,125\u00a0XBT"],
  [{ kind: "decimal", currencyColumn: "none" }, "1.125", "de", "1,125"],
  [{ kind: "ratio", digits: 1 }, "0.1234", "de", "12,3\u00a0%"],
  [{ kind: "decimal", digits: 1 }, "1234.56", "de", "1.234,6"],
  [{ kind: "decimal", digits: 1 }, "1234.56", "no locale", "1234.56"],
] as const)("a column with %j shows the number %j in the locale %s as %s", (own, value, locale, expected) => {
  expect(formatCell({ ...column, ...own }, { value, code: "USD", unknown: "XBT", none: null }, locale)).toBe(expected);
});

test.each([
  ["0", null, "0 s"],
  ["-0.0001", null, "0 s"],
  ["0.25", null, "0.25 s"],
  ["10", null, "10 s"],
  ["59.9996", null, "1 min"],
  ["300", null, "5 min"],
  ["3600.04", null, "1 h 00 min 00.04 s"],
  ["36000", null, "10 h"],
  ["86400", null, "1 d"],
  ["93784.500", null, "1 d 2 h 03 min 04.5 s"],
  ["172801", null, "2 d 0 h 00 min 01 s"],
  ["-5400.000001", null, "-1 h 30 min"],
  ["360000000", null, "4166 d 16 h"],
  ["5400.333333", 0, "1 h 30 min"],
  ["5400.333333", 1, "1 h 30 min 00.3 s"],
] as const)("a cell shows %s seconds with %s fraction digits as %s", (value, digits, expected) => {
  const shown = formatCell({ ...column, kind: "duration", digits }, { value }, "en");
  expect(shown.replaceAll("\u00a0", " ")).toBe(expected);
});

test("cells of numbers are right-aligned unless their column declares an alignment", () => {
  expect(findCellClass({ ...column, kind: "decimal" })).toBe("number");
  expect(findCellClass({ ...column, kind: "duration" })).toBe("number");
  expect(findCellClass({ ...column, kind: "decimal", align: "center" })).toBe("center");
  expect(findCellClass({ ...column, kind: "decimal", align: "start" })).toBe("");
  expect(findCellClass(column)).toBe("");
});

test.each([
  ["https://example.com/42?a=b#c", true],
  ["https://example.com:8443", true],
  ["http://example.com/", false],
  ["javascript:alert(1)", false],
  [" https://example.com/", false],
  ["https://user:secret@example.com/", false],
  ["https://good.example\\@bad.example/", false],
  ["https://example.com/\nx", false],
  [`https://example.com/${"a".repeat(2_064)}`, false],
  ["T-42", false],
])("a cell links to %j only if it is a plain https URL: %s", (text, isLink) => {
  expect(toSafeLinkUrl(text)).toBe(isLink ? text : null);
});

test.each([
  ["DOWN", "bad"],
  ["UP", undefined],
  [95, "bad"],
  [90, "warn"],
  ["80.5", "warn"],
  [1, undefined],
  [null, undefined],
])("a cell with the value %j has the tone %s", (value, tone) => {
  const shown = {
    ...column,
    tones: { DOWN: "bad" },
    tonesByNumber: [
      { atLeast: 95, below: null, tone: "bad" },
      { atLeast: 80, below: 95, tone: "warn" },
    ],
  };
  expect(findCellTone(shown, { value })).toBe(tone);
});
