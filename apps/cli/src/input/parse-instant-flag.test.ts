import { expect, test } from "vitest";
import { parseInstantFlag } from "./parse-instant-flag.ts";

const now = Date.parse("2026-11-26T23:30:00Z");

test.each([
  ["in 30 days", "2026-12-26T23:30:00.000Z"],
  ["2h", "2026-11-27T01:30:00.000Z"],
  ["30 min", "2026-11-27T00:00:00.000Z"],
  ["now", "2026-11-26T23:30:00.000Z"],
  ["tomorrow", "2026-11-28T00:00:00+01:00"],
  ["1.7.2027", "2027-07-01T00:00:00+02:00"],
  ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
])("readInstant turns %j into a fixed time", (text, time) => {
  expect(parseInstantFlag("--starts-at", text, "Europe/Berlin", now)).toBe(time);
});

test.each([
  ["2026-10-24T22:30:00Z", "today", "2026-10-25T00:00:00+02:00"],
  ["2026-10-24T22:30:00Z", "tomorrow", "2026-10-26T00:00:00+01:00"],
  ["2026-03-29T22:30:00Z", "yesterday", "2026-03-29T00:00:00+01:00"],
  ["2026-03-28T23:30:00Z", "tomorrow", "2026-03-30T00:00:00+02:00"],
  ["2026-12-31T22:30:00Z", "tomorrow", "2027-01-01T00:00:00+01:00"],
  ["2026-10-24T22:30:00Z", "today+PT6H", "2026-10-25T04:00:00.000Z"],
  ["2026-10-24T22:30:00Z", "today+P1W", "2026-11-01T00:00:00+01:00"],
])("near a clock change in Berlin, at %s, readInstant turns %j into %s", (at, text, time) => {
  const read = parseInstantFlag("--starts-at", text, "Europe/Berlin", Date.parse(at));
  expect(Date.parse(read)).toBe(Date.parse(time));
});

test.each([
  ["in 3 months", "--starts-at: This time cannot be relative to a month"],
  ["next month", "--starts-at: This time cannot be relative to a month"],
  ["01/02/2027", '--starts-at: "01/02/2027" can mean 1 February or 2 January.'],
  ["soon", '--starts-at: "soon" is not a time.'],
])("readInstant refuses %j with one line", (text, message) => {
  expect(() => parseInstantFlag("--starts-at", text, "UTC", now)).toThrow(message);
});
