import { expect, test } from "vitest";
import { durationText, relativeText, wallText } from "./moments.ts";
import { countText, filterName, nameOf, sizeText, wordOf } from "./text.ts";

const now = Date.parse("2026-03-05T12:00:00Z");

test.each([
  ["2026-03-05T11:59:30Z", "just now"],
  ["2026-03-05T12:00:30Z", "in a moment"],
  ["2026-03-05T11:57:01Z", "2 minutes ago"],
  ["2026-03-05T09:00:00Z", "3 hours ago"],
  ["2026-03-12T12:00:00Z", "in 7 days"],
  ["2026-03-12T11:56:00Z", "in 7 days"],
])("%s is %s", (at, text) => {
  expect(relativeText(at, now)).toBe(text);
});

test.each([
  [840, "840 ms"],
  [12_440, "12.4 s"],
  [200_000, "3 min 20 s"],
  [7_500_000, "2 h 5 min"],
])("%i ms are %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test("counts, sizes, constants and names of filters are words", () => {
  expect([countText(1_278_311), sizeText(812), sizeText(1_468_006), sizeText(3 * 1024 ** 4)]).toEqual([
    "1,278,311",
    "812 bytes",
    "1.4 MiB",
    "3072.0 GiB",
  ]);
  expect([wordOf("DATA_BEHIND"), filterName("hostnameSuffix"), filterName("tlsMinVersion"), filterName("q")]).toEqual([
    "Data behind",
    "Host name suffix",
    "TLS min version",
    "Contains",
  ]);
});

test("a principal is shown by name", () => {
  expect(["basic:ann", "https://login.example.com|0a1b", "basic:a:b"].map(nameOf)).toEqual(["ann", "0a1b", "a:b"]);
});

test("a time with an offset is shown as the clock there shows it", () => {
  expect(wallText("2026-08-07T23:08:04+05:30")).toBe("7 Aug 2026, 23:08");
});
