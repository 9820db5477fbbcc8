import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { widenColumnsToFitRows } from "./measured-columns.ts";

const columns: readonly ReportColumn[] = [
  { key: "issuer", title: "Issuer", kind: "text", width: 20 },
  { key: "issues", title: "Issues", kind: "list", width: 10, titles: { OLD: "Certificate expired" } },
  { key: "amount", title: "Amount", kind: "bigint", width: 8 },
];
const numbers: readonly ReportColumn[] = [
  { key: "weight", title: "Weight", kind: "decimal", width: 4, unit: "kg", digits: 2 },
  { key: "price", title: "Price", kind: "decimal", width: 4, currency: "EUR" },
  { key: "share", title: "Share", kind: "ratio", width: 4 },
  { key: "took", title: "Took", kind: "duration", width: 4 },
  { key: "size", title: "Size", kind: "bytes", width: 4 },
];
const widthsOf = (rows: readonly (readonly (string | null)[])[]): number[] =>
  widenColumnsToFitRows(columns, rows).map(({ width }) => width);

test("a column of an xlsx is as wide as its longest text, with the words of codes", () => {
  const rows = [
    ["Sectigo RSA Organization Validation Secure Server CA", "{OLD,NEW}", "1"],
    [null, null, null],
    ["Let's Encrypt R12", "{}", "1"],
  ];
  expect(widthsOf(rows)).toEqual([52, "Certificate expired; NEW".length, 8]);
});

test("a column is at least as wide as its definition says, and at most 60 characters", () => {
  expect(widthsOf([["short", "{A}", "1"]])).toEqual([20, 10, 8]);
  expect(widthsOf([["x".repeat(500), "{A}", "1"]])).toEqual([60, 10, 8]);
});

test("a text with line breaks does not widen its column, since its row has more lines", () => {
  expect(widthsOf([[`${"x".repeat(30)}\n${"y".repeat(30)}`, "{A}", "1"]])).toEqual([20, 10, 8]);
});

test("a column of an xlsx is wide enough for its formatted numbers and their unit", () => {
  const wide = (row: readonly string[]): number[] => widenColumnsToFitRows(numbers, [row]).map(({ width }) => width);
  const shown = ["123,456,789.12 ", "1,234,567.80", "1234.50%", "2777:46:39", ""];
  const margin = 4;
  expect(wide(["123456789.124", "1234567.8", "12.345", "9999999", "1".repeat(15)])).toEqual(
    shown.map((text) => (text === "" ? 4 : text.length + margin)),
  );
  expect(wide(["1", "1", "0", "-86400", "1"])).toEqual([9, 8, 9, "-1.00000 d".length + margin, 4]);
  expect(wide(["NaN", "infinity", "NaN", "infinity", "1"])).toEqual([7, 12, 7, 12, 4]);
});
