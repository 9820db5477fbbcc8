import { Buffer } from "node:buffer";
import { createTimestampConverter, toWireTimestamp } from "@reports/core/base";
import { createJsonRowConverter } from "@reports/core/report";
import { isFullTestRun } from "@reports/testing";
import { assert, constantFrom, date, property } from "fast-check";
import { expect, test } from "vitest";
import { createCellFormatContext, createCellFormatter } from "../formats/pdf/cell-formatter.ts";
import { createRfc3339Appender } from "./append-timestamp.ts";
import { ByteBuffer } from "./byte-buffer.ts";

function shown(wireText: string, timezone: string): string {
  const out = new ByteBuffer(8);
  out.appendText("before,");
  const bytes = Buffer.from(`x${wireText}x`, "latin1");
  createRfc3339Appender(timezone)(out, bytes, 1, bytes.length - 1);
  return out.view().toString("latin1").slice("before,".length);
}

const ofPreview = (wireText: string, timezone: string): unknown =>
  createJsonRowConverter([{ key: "at", kind: "timestamp" }], timezone)([wireText])["at"];

test.each([
  ["2026-11-21 00:02:03.5+00", "Europe/Berlin", "2026-11-21T01:02:03.5+01:00"],
  ["2026-12-31 23:59:59.999999+00", "Asia/Kathmandu", "2027-01-01T05:44:59.999999+05:45"],
  ["2024-03-01 02:00:00+00", "America/St_Johns", "2024-02-29T22:30:00-03:30"],
  ["2026-10-25 00:59:59+00", "Europe/Berlin", "2026-10-25T02:59:59+02:00"],
  ["2026-10-25 01:00:00+00", "Europe/Berlin", "2026-10-25T02:00:00+01:00"],
  ["2011-12-30 09:59:59+00", "Pacific/Apia", "2011-12-29T23:59:59-10:00"],
  ["2011-12-30 10:00:00+00", "Pacific/Apia", "2011-12-31T00:00:00+14:00"],
  ["1850-01-01 00:00:00+00", "Europe/Prague", "1850-01-01T00:57:00+00:57"],
  ["1850-01-01 00:00:00.25+00", "America/New_York", "1849-12-31T19:04:00.25-04:56"],
  ["2026-11-21 01:02:03+01", "Asia/Tokyo", "2026-11-21T09:02:03+09:00"],
  ["2026-11-21 01:02:03.123456-03:30", "UTC", "2026-11-21T04:32:03.123456+00:00"],
  ["1850-01-01 00:19:32+00:19:32", "UTC", "1850-01-01T00:00:00+00:00"],
])("the wire time %s converts to the zone %s as %s", (wireText, timezone, expected) => {
  expect(shown(wireText, timezone)).toBe(expected);
  expect(ofPreview(wireText, timezone)).toBe(expected);
});

test.each([
  ["9999-12-31 23:59:59.5+00", "Asia/Tokyo", "9999-12-31T23:59:59.5+00:00"],
  ["10000-01-01 08:59:59+09", "Asia/Tokyo", "9999-12-31T23:59:59+00:00"],
  ["9999-12-31 23:59:59+00", "America/New_York", "9999-12-31T18:59:59-05:00"],
  ["10000-01-01 03:00:00+00", "America/New_York", "9999-12-31T22:00:00-05:00"],
  ["10000-01-01 08:59:59+00", "Asia/Tokyo", "10000-01-01 08:59:59+00"],
  ["0001-01-01 00:00:00+00", "America/New_York", "0001-01-01T00:00:00+00:00"],
  ["0001-01-01 00:00:00+00", "Asia/Tokyo", "0001-01-01T09:18:00+09:18"],
  ["0044-03-15 00:00:00+00 BC", "Asia/Tokyo", "0044-03-15 00:00:00+00 BC"],
  ["infinity", "Asia/Tokyo", "infinity"],
  ["-infinity", "UTC", "-infinity"],
])("the time %s near the first or last year converts to the zone %s as %s", (wireText, timezone, expected) => {
  expect(shown(wireText, timezone)).toBe(expected);
  expect(ofPreview(wireText, timezone)).toBe(expected);
});

test("a local time is the same instant in every zone and agrees with Intl", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const between = { min: new Date("1700-01-01T00:00:00Z"), max: new Date("2500-01-01T00:00:00Z"), noInvalidDate: true };
  const check = property(constantFrom(...zones), date(between), (timezone, instant) => {
    const text = shown(toWireTimestamp(instant), timezone);
    expect(ofPreview(toWireTimestamp(instant), timezone)).toBe(text);
    // An offset with seconds is rounded to a minute, and the time is shifted with it, so the instant is exact.
    expect(Date.parse(text)).toBe(instant.getTime());
    const local = createTimestampConverter(timezone)(toWireTimestamp(instant));
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" });
    expect(local.slice(0, 19)).toBe(clock.format(instant));
  });
  assert(check, { numRuns: isFullTestRun ? 3_000 : 600 });
});

test("every second around a clock change has the right offset", () => {
  // The clocks change by half an hour on Lord Howe, by two hours at Troll, and at midnight in Cairo.
  const end = Date.parse(isFullTestRun ? "2027-01-01T00:00:00Z" : "2025-05-01T00:00:00Z");
  for (const timezone of ["Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo", "Africa/Casablanca"]) {
    const localOf = createTimestampConverter(timezone);
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone, dateStyle: "short", timeStyle: "medium" });
    for (let hour = Date.parse("2025-01-01T00:00:00Z"); hour < end; hour += 3_600_000) {
      for (const instant of [hour - 1000, hour]) {
        const local = localOf(toWireTimestamp(new Date(instant)));
        expect(local.slice(0, 19)).toBe(clock.format(instant));
      }
    }
  }
});

test("a pdf shows a time in UTC if its local year would be 10000", () => {
  const format = createCellFormatter(
    { kind: "timestamp" },
    createCellFormatContext({ locale: "en", language: "en", timezone: "Asia/Tokyo" }),
  );
  expect(format("10000-01-01 08:59:59+09")).toBe("31 Dec 9999, 23:59 +00");
  expect(format("9999-12-31 23:59:59+00")).toBe("31 Dec 9999, 23:59 +00");
});

test("a time outside of the years 1 to 9999 has no wire form", () => {
  expect(toWireTimestamp(new Date("0001-01-01T00:00:00Z"))).toBe("0001-01-01 00:00:00+00");
  expect(toWireTimestamp(new Date("9999-12-31T23:59:59.120Z"))).toBe("9999-12-31 23:59:59.12+00");
  expect(toWireTimestamp(new Date("1969-12-31T23:59:59.100Z"))).toBe("1969-12-31 23:59:59.1+00");
  for (const instant of ["0000-12-31T23:59:59Z", "-000001-06-01T00:00:00Z", "+010000-01-01T00:00:00Z", "no time"])
    expect(() => toWireTimestamp(new Date(instant))).toThrow(RangeError);
});
