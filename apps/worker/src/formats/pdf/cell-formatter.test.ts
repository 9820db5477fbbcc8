import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { createCellFormatContext, createCellFormatter } from "./cell-formatter.ts";
import { getDateFormatter } from "../date-formatter.ts";

function format(
  column: Pick<ReportColumn, "kind" | "plainDigits" | "titles" | "daysUntil">,
  value: string,
  timezone = "UTC",
): string {
  return createCellFormatter(column, createCellFormatContext({ locale: "en", language: "en", timezone }))(value);
}

test.each([
  [{ kind: "integer" }, "12345", "12,345"],
  [{ kind: "integer", plainDigits: true }, "8443", "8443"],
  [{ kind: "integer", daysUntil: "expiry" }, "-1328", "expired 1,328 days ago"],
  [{ kind: "integer", daysUntil: "expiry" }, "-2", "expired 2 days ago"],
  [{ kind: "integer", daysUntil: "expiry" }, "-1", "expired within a day"],
  [{ kind: "integer", daysUntil: "expiry" }, "0", "within a day"],
  [{ kind: "integer", daysUntil: "expiry" }, "1", "in 1 day"],
  [{ kind: "integer", daysUntil: "expiry" }, "89", "in 89 days"],
  [{ kind: "bigint" }, "9007199254740993", "9,007,199,254,740,993"],
  [{ kind: "decimal" }, "0.10", "0.10"],
  [{ kind: "ratio" }, "0.25", "25.00%"],
  [{ kind: "bytes" }, "16500000000000", "16.5\u00A0TB"],
  [{ kind: "text", titles: { WARN: "Warning" } }, "WARN", "Warning"],
  [{ kind: "text", titles: { WARN: "Warning" } }, "constructor", "constructor"],
  [{ kind: "list", titles: { WARN: "Warning" } }, "{WARN,OTHER,NULL}", "Warning, OTHER, –"],
  [{ kind: "boolean" }, "t", "Yes"],
  [{ kind: "boolean" }, "f", "No"],
  [{ kind: "date" }, "2026-02-28", "28 Feb 2026"],
  [{ kind: "timestamp" }, "2026-02-28 13:14:15.123456+00", "28 Feb 2026, 13:14"],
  [{ kind: "list" }, '{a,"b c",NULL,"say \\"x\\""}', 'a, b c, –, say "x"'],
  [{ kind: "text" }, "=1+1", "=1+1"],
] as const)("a pdf shows a value of the column %j, %s, as %s", (column, value, expected) => {
  expect(format(column, value)).toBe(expected);
});

test.each([
  ["Europe/Berlin", "2026-10-25 00:30:00+00", "25 Oct 2026, 02:30 +02"],
  ["Europe/Berlin", "2026-10-25 01:30:00+00", "25 Oct 2026, 02:30 +01"],
  ["Europe/Berlin", "2026-10-24 23:59:59+00", "25 Oct 2026, 01:59"],
  ["Europe/Berlin", "2026-10-25 02:00:00+00", "25 Oct 2026, 03:00"],
  ["Europe/Berlin", "2026-03-29 01:00:00+00", "29 Mar 2026, 03:00"],
  ["America/New_York", "2026-11-01 05:30:00.5+00", "1 Nov 2026, 01:30 -04"],
  ["Australia/Lord_Howe", "2026-04-04 14:45:00+00", "5 Apr 2026, 01:45 +11"],
  ["Australia/Lord_Howe", "2026-04-04 15:15:00+00", "5 Apr 2026, 01:45 +10:30"],
  ["UTC", "2026-10-25 00:30:00+00", "25 Oct 2026, 00:30"],
])("in the zone %s, only a time that occurs twice has an offset (%s)", (timezone, value, expected) => {
  expect(format({ kind: "timestamp" }, value, timezone)).toBe(expected);
});

test.each([
  "en",
  "en-US",
  "de-AT",
  "ar-EG",
  "fa",
  "he",
  "th",
  "ja",
  "bg",
  "hu",
  "my",
  "ne",
  "vi",
  "zh-Hant",
  "lv",
  "eu",
])("in the locale %s, dates are formatted as Intl does", (locale) => {
  const tag = locale === "en" ? "en-GB" : locale;
  const intl = new Intl.DateTimeFormat(tag, { timeZone: "UTC", calendar: "gregory", dateStyle: "medium" });
  const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(2024, 0, day + 1)));
  const far = ["0001-01-01", "0987-12-31", "1582-10-04", "9999-12-31"].map((text) => new Date(text));
  const dates = getDateFormatter(locale);
  for (const at of [...days, ...far]) expect(dates.date(at.toISOString().slice(0, 10))).toBe(intl.format(at));
  for (const none of ["infinity", "2026-13-01", "0044-03-15 BC"]) expect(dates.date(none)).toBe(none);
});

test.each([
  ["en", "+05:30"],
  ["de-DE", "+05:30"],
  ["he", "\u2066+05:30\u2069"],
  ["ar-EG", "\u2066+٠٥:٣٠\u2069"],
])("in the locale %s, an offset has local digits and is isolated if right to left", (locale, expected) => {
  expect(getDateFormatter(locale).offset("+05:30")).toBe(expected);
});

test.each(["zh-CN", "bg", "hu", "lv", "kk", "ko", "ja", "de", "en-US", "ar-EG"])(
  "in the locale %s, a date with a time is formatted as Intl does",
  (locale) => {
    const settings = { timeZone: "UTC", calendar: "gregory", dateStyle: "medium", timeStyle: "short" } as const;
    const whole = new Intl.DateTimeFormat(locale, settings).format(Date.parse("2026-11-22T21:05:06Z"));
    expect(whole.replaceAll("\u202F", " ")).toMatch(RegExp(`^${getDateFormatter(locale).beforeTime("2026-11-22")}`));
  },
);
