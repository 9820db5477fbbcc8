import { expect, test } from "vitest";
import { cellText, linkOf } from "./cell-text.ts";

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
  ["text", null, ""],
] as const)("a value of the kind %s, %j, is shown as %s", (kind, value, expected) => {
  expect(cellText({ kind, titles: { "TLS1.2": "TLS 1.2" } }, value)).toBe(expected);
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
])("a value links to %j: %s", (text, isLink) => {
  expect(linkOf(text)).toBe(isLink ? text : null);
});
