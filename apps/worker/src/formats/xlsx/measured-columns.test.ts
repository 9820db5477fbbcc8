import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { widenColumns } from "./measured-columns.ts";

const columns: readonly ReportColumn[] = [
  { key: "issuer", title: "Issuer", kind: "text", width: 20 },
  { key: "issues", title: "Issues", kind: "list", width: 10, titles: { OLD: "Certificate expired" } },
  { key: "amount", title: "Amount", kind: "bigint", width: 8 },
];
const widthsOf = (rows: readonly (readonly (string | null)[])[]): number[] =>
  widenColumns(columns, rows).map(({ width }) => width);

test("a column of an xlsx is as wide as its longest text, with the words of codes", () => {
  const rows = [
    ["Sectigo RSA Organization Validation Secure Server CA", "{OLD,NEW}", "1".repeat(30)],
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
