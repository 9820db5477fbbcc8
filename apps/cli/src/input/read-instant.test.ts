import { expect, test } from "vitest";
import { readInstant } from "./read-instant.ts";

const now = Date.parse("2026-11-26T23:30:00Z");

test.each([
  ["in 30 days", "2026-12-26T23:30:00.000Z"],
  ["2h", "2026-11-27T01:30:00.000Z"],
  ["30 min", "2026-11-27T00:00:00.000Z"],
  ["now", "2026-11-26T23:30:00.000Z"],
  ["tomorrow", "2026-11-28T00:00:00+01:00"],
  ["1.7.2027", "2027-07-01T00:00:00+02:00"],
  ["2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
])("reads %j as a time that is not relative", (text, time) => {
  expect(readInstant("--starts-at", text, "Europe/Berlin", now)).toBe(time);
});

test.each([
  ["in 3 months", "--starts-at: This time cannot be relative to a month"],
  ["next month", "--starts-at: This time cannot be relative to a month"],
  ["01/02/2027", '--starts-at: "01/02/2027" can mean 1 February or 2 January.'],
  ["soon", '--starts-at: "soon" is not a time.'],
])("refuses %j in one line", (text, message) => {
  expect(() => readInstant("--starts-at", text, "UTC", now)).toThrow(message);
});
