import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { getInstantFormat, describeFilters } from "./filter-words.ts";
import { getWords } from "./words/words.ts";

const english = getWords("en");
const proxy = builtInReportTypes.find(({ type }) => type === "PROXY")!;

test("filters are described in words, with times in the report's time zone", () => {
  const words = describeFilters(
    {
      createdFrom: "2026-06-30T22:00:00Z",
      createdTo: "2026-12-31T23:00:00Z",
      health: ["DEGRADED", "DOWN"],
      port: [443],
      q: "edge",
      tag: ["pci"],
    },
    proxy,
    { instant: getInstantFormat("Europe/Berlin", "en"), words: english },
  );
  expect(words).toEqual([
    "Name contains “edge”",
    "Health is Degraded or Down",
    "Tags include “pci”",
    "Port is 443",
    "Created from 1 July 2026, 00:00",
    "Created before 1 January 2027, 00:00",
  ]);
});

test("filters appear in the order of their report type, however they were stored", () => {
  const given = {
    q: "edge",
    tag: ["pci"],
    health: ["UP"],
    adminState: ["ENABLED"],
    oldName: [true],
    region: ["eu-north-1"],
  };
  const sentences = describeFilters(given, proxy, { instant: getInstantFormat("UTC", "en"), words: english });
  const order = proxy.filters.map(({ name }) => name).filter((name) => name in given);
  const subjects: Readonly<Record<string, string>> = { q: "Name", tag: "Tags", adminState: "Admin state" };
  expect(sentences.map((sentence) => /^(.+?) (?:contains|include|is) /.exec(sentence)?.[1])).toEqual([
    ...order.map((name) => subjects[name] ?? name.charAt(0).toUpperCase() + name.slice(1)),
    "Old name",
  ]);
});

test("a filter that the report type no longer has is still described", () => {
  const [words] = describeFilters({ someOldName: [true] }, proxy, {
    instant: getInstantFormat("UTC", "en"),
    words: english,
  });
  expect(words).toBe("Some old name is yes");
});

test.each([
  ["en", "21 November 2026, 02:02"],
  ["de-DE", "21. November 2026 um 02:02"],
  ["ja", "2026年11月21日 2:02"],
])("times in filters follow the conventions of the locale: %s", (locale, expected) => {
  expect(getInstantFormat("Europe/Berlin", locale)(new Date("2026-11-21T01:02:03Z"))).toBe(expected);
});
