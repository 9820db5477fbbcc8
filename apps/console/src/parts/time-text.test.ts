import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  formatTimeOmittingToday,
  formatRemainingTime,
  formatTimeWithoutYear,
  formatDate,
  formatDuration,
  toSupportedTimeZone,
  formatTime,
  formatExpiry,
  formatRelativeTime,
  formatTimeInOwnOffset,
} from "./time-text.ts";
import {
  formatCountedNoun,
  formatCount,
  deriveFieldLabel,
  formatPrincipalName,
  formatPercent,
  formatRetryReason,
  formatByteSize,
  toSentenceCase,
} from "./text.ts";

const now = Date.parse("2026-03-05T12:00:00Z");

test.each([
  ["2026-03-05T11:59:30Z", "just now"],
  ["2026-03-05T12:00:30Z", "in a moment"],
  ["2026-03-05T11:57:01Z", "2 minutes ago"],
  ["2026-03-05T09:00:00Z", "3 hours ago"],
  ["2026-03-12T12:00:00Z", "in 7 days"],
  ["2026-03-12T11:56:00Z", "in 6 days"],
  ["2026-03-05T13:59:59Z", "in 1 hour"],
  ["2026-03-05T10:00:01Z", "1 hour ago"],
])("the time %s is shown relative to now as %s", (at, text) => {
  expect(formatRelativeTime(at, now)).toBe(text);
});

// The column `daysLeft` of report files has the same numbers: 7, 6, 1, 0, 0, -1, -1, -2 and -327.
test.each([
  ["2026-03-12T12:00:00Z", "Expires in 7 days"],
  ["2026-03-12T11:56:00Z", "Expires in 6 days"],
  ["2026-03-06T12:00:00Z", "Expires in 1 day"],
  ["2026-03-06T11:59:59Z", "Expires within a day"],
  ["2026-03-05T12:00:00Z", "Expires within a day"],
  ["2026-03-05T11:59:59Z", "Expired within a day"],
  ["2026-03-04T12:00:00Z", "Expired within a day"],
  ["2026-03-04T11:59:59Z", "Expired 2 days ago"],
  ["2025-04-12T18:00:00Z", "Expired 327 days ago"],
])("a certificate that ends at %s is shown as %s", (at, text) => {
  expect(formatExpiry(at, now)).toBe(text);
});

test.each([
  [0.04, "0 s"],
  [0.84, "0.8 s"],
  [12.44, "12.4 s"],
  [59.99, "1 min"],
  [200.4, "3 min 20 s"],
  [7_500, "2 h 05 min"],
])("a duration of %d s is shown as %s", (seconds, text) => {
  expect(formatDuration(seconds).replaceAll("\u00a0", " ")).toBe(text);
});

test.each([
  [1, "1 s"],
  [11_200, "12 s"],
  [61_000, "2 min"],
])("a remaining time of %i ms is shown as %s", (ms, text) => {
  expect(formatRemainingTime(ms)).toBe(text);
});

test("formatTimeOmittingToday omits the date of a time only if the date is today", () => {
  expect(formatTimeOmittingToday("2026-03-05T12:15:00Z", now)).toMatch(/^\d\d:\d\d$/);
  expect(formatTimeOmittingToday("2026-03-07T12:15:00Z", now)).toMatch(/^\w{3},? 7 Mar, \d\d:\d\d$/);
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1_000, "1.0 kB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_499, "999 kB"],
  [999_949, "1.0 MB"],
  [655_000_000_000, "655 GB"],
  [16_500_000_000_000, "16.5 TB"],
])("a size of %i bytes is shown as %s", (bytes, text) => {
  expect(formatByteSize(bytes)).toBe(text.replace(" ", "\u00a0"));
});

test.each([
  [0.0512, "5.12%"],
  [0, "0.00%"],
  [0.00001, "<0.01%"],
  [1, "100.00%"],
])("the share %d is shown as %s", (share, text) => {
  expect(formatPercent(share)).toBe(text);
});

test("counts, constants and field names are shown as readable text", () => {
  expect(formatCount(1_278_311)).toBe("1,278,311");
  expect([0, 1, 2_000].map((count) => formatCountedNoun(count, "row"))).toEqual(["0 rows", "1 row", "2,000 rows"]);
  expect([
    toSentenceCase("DATA_BEHIND"),
    deriveFieldLabel("hostnameSuffix"),
    deriveFieldLabel("tlsMinVersion"),
    deriveFieldLabel("q"),
  ]).toEqual(["Data behind", "Host name suffix", "TLS min version", "Contains"]);
});

test("a principal is shown by its name, without its source", () => {
  expect(["basic:ann", "https://login.example.com|0a1b", "basic:a:b"].map(formatPrincipalName)).toEqual([
    "ann",
    "0a1b",
    "a:b",
  ]);
});

test.each([
  [
    429,
    "Limit of 20 report starts per minute reached; retry in 35 s.",
    "Limit of 20 report starts per minute reached.",
  ],
  [503, "The database is unavailable.", "The database is unavailable."],
  [0, "The gateway at https://a.example cannot be reached.", "Cannot reach the gateway."],
])("the reason for a retry after the status %i and the message %j is %j", (status, detail, text) => {
  expect(formatRetryReason({ status, detail })).toBe(text);
});

test("a time with an offset is shown in the local time of that offset", () => {
  expect(formatTimeInOwnOffset("2026-08-07T23:08:04+05:30")).toBe("7 Aug 2026, 23:08");
});

test.each(["Mars/Base", "Etc/Unknown", "", undefined])("the unknown zone %j becomes UTC", (zone) => {
  expect(toSupportedTimeZone(zone)).toBe("UTC");
});

test("a text that is not a time is shown unchanged", () => {
  for (const text of ["infinity", ""]) {
    const shown = [
      formatTime(text),
      formatTimeWithoutYear(text, "UTC"),
      formatTimeInOwnOffset(text),
      formatDate(text),
      formatRelativeTime(text, now),
    ];
    expect(shown).toEqual([text, text, text, text, text]);
  }
  // Postgres knows years with five digits. JavaScript does not parse them in this form, so the console shows the text unchanged.
  expect(formatTimeInOwnOffset("12026-01-01T00:00:00Z")).toBe("12026-01-01T00:00:00Z");
});

test("only time-text.ts formats times and reads the zone of the browser", () => {
  const folder = join(import.meta.dirname, "..");
  const sources = globSync("**/*.{ts,tsx}", { cwd: folder }).filter((file) => !file.endsWith(".test.ts"));
  const others = sources.filter((file) => !file.endsWith("time-text.ts"));
  const wrong = /DateTimeFormat|resolvedOptions|toLocale(Date|Time)?String|getTimezoneOffset/;
  expect(others.length).toBeGreaterThan(20);
  expect(others.filter((file) => wrong.test(readFileSync(join(folder, file), "utf8")))).toEqual([]);
});
