import { builtInReportTypes } from "@reports/core/report";
import { expect, test } from "vitest";
import { getInstantFormatter, describeFilters } from "./filter-words.ts";
import { getWords } from "./words/words.ts";

const english = getWords("en");
const conventions = (timezone: string) => ({
  options: { timezone, locale: "en", language: "en" } as const,
  words: english,
});
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
    conventions("Europe/Berlin"),
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

test.each([
  ["en", "12,345"],
  ["de", "12.345"],
  ["pl", "12 345"],
] as const)("numbers in filters have the separators of the locale %s; ports have none", (locale, expected) => {
  const filters = [
    ...proxy.filters,
    { ...cost, name: "requestsFrom", value: "integer", columns: ["requests24h"] },
  ] as const;
  const options = { timezone: "UTC", locale, language: "en" } as const;
  const given = { port: [12_345], requestsFrom: 12_345 };
  const sentences = describeFilters(given, { ...proxy, filters }, { options, words: english });
  expect(sentences.map((text) => text.replaceAll("\u00A0", " "))).toEqual([
    "Port is 12345",
    `Requests 24 h at least ${expected}`,
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
  const sentences = describeFilters(given, proxy, conventions("UTC"));
  const order = proxy.filters.map(({ name }) => name).filter((name) => name in given);
  const subjects: Readonly<Record<string, string>> = { q: "Name", tag: "Tags", adminState: "Admin state" };
  expect(sentences.map((sentence) => /^(.+?) (?:contains|include|is) /.exec(sentence)?.[1])).toEqual([
    ...order.map((name) => subjects[name] ?? name.charAt(0).toUpperCase() + name.slice(1)),
    "Old name",
  ]);
});

test("a filter that the report type no longer has is still described", () => {
  const [words] = describeFilters({ someOldName: [true] }, proxy, conventions("UTC"));
  expect(words).toBe("Some old name is yes");
});

test.each([
  ["en", "21 November 2026, 02:02"],
  ["de-DE", "21. November 2026 um 02:02"],
  ["ja", "2026年11月21日 2:02"],
])("times in filters follow the conventions of the locale: %s", (locale, expected) => {
  expect(getInstantFormatter("Europe/Berlin", locale)(new Date("2026-11-21T01:02:03Z"))).toBe(expected);
});

const cost = { operator: "from", columns: ["cost"], description: "" } as const;
const invoices = {
  ...proxy,
  columns: [
    { key: "due", title: "Due", kind: "date", width: 1 },
    { key: "cost", title: "Cost", kind: "decimal", width: 1 },
    { key: "state", title: "State", kind: "text", width: 1, titles: { OPEN: "Open", VOID: "Void" } },
  ],
  filters: [
    { ...cost, name: "dueFrom", value: "date", columns: ["due"] },
    { ...cost, name: "dueTo", operator: "to", value: "date", columns: ["due"] },
    { ...cost, name: "costFrom", value: "decimal" },
    { ...cost, name: "stateNot", operator: "notIn", value: "enum", values: ["OPEN", "VOID"], columns: ["state"] },
    { ...cost, name: "ownerEmpty", operator: "empty", value: "boolean", columns: ["owner"] },
  ],
} as const;

test.each([
  [
    "en",
    [
      "Due from 31 January 2026",
      "Due before 1 March 2026",
      "Cost at least 1,234.50",
      "State is not Open or Void",
      "Owner is empty",
    ],
  ],
  [
    "de",
    [
      "Due ab 31. Januar 2026",
      "Due vor 1. März 2026",
      "Cost ab 1.234,50",
      "State: nicht Open oder Void",
      "Owner ist leer",
    ],
  ],
] as const)("days, decimals, exclusions and missing values are described in %s", (language, expected) => {
  const given = { dueFrom: "2026-01-31", dueTo: "2026-03-01", costFrom: "1234.50", stateNot: ["OPEN", "VOID"] };
  const options = { timezone: "Pacific/Kiritimati", locale: language, language };
  const words = getWords(language);
  expect(describeFilters({ ...given, ownerEmpty: true }, invoices, { options, words })).toEqual(expected);
  expect(describeFilters({ ownerEmpty: false }, invoices, { options, words })[0]).toMatch(/not empty|nicht leer/);
});

const stays = {
  ...proxy,
  columns: [
    { key: "stay", title: "Stay", kind: "duration", width: 1 },
    { key: "start", title: "Start", kind: "time", width: 1 },
  ],
  filters: [
    { ...cost, name: "stayFrom", value: "decimal", columns: ["stay"] },
    { ...cost, name: "stayNot", operator: "notIn", value: "integer", columns: ["stay"] },
    { ...cost, name: "startFrom", value: "time", columns: ["start"] },
    { ...cost, name: "startTo", operator: "to", value: "time", columns: ["start"] },
  ],
} as const;

test.each([
  [
    "en",
    "en-US",
    ["Stay at least 1 h 00 min 00.00001 s", "Stay is not 1 d", "Start from 08:30 AM", "Start before 05:30:15 PM"],
  ],
  [
    "fr",
    "fr-FR",
    ["Stay : au moins 1 h 00 min 00,00001 s", "Stay : sauf 1 j", "Start : à partir de 08:30", "Start : avant 17:30:15"],
  ],
] as const)("durations and times of day are described in %s", (language, locale, expected) => {
  const options = { timezone: "Pacific/Kiritimati", locale, language };
  const given = { stayFrom: "3600.00001", stayNot: [86_400], startFrom: "08:30:00", startTo: "17:30:15" };
  const described = describeFilters(given, stays, { options, words: getWords(language) });
  expect(described.map((text) => text.replaceAll("\u00A0", " "))).toEqual(expected);
});

test("numbers in filters have the unit or the fixed currency of their column", () => {
  const weight = { ...proxy.columns[0]!, key: "weight", title: "Weight", kind: "decimal", unit: "kg" } as const;
  const price = { ...proxy.columns[0]!, key: "price", title: "Price", kind: "decimal", currency: "EUR" } as const;
  const filters = [
    { ...cost, value: "decimal", name: "weightFrom", columns: ["weight"] },
    { ...cost, value: "decimal", name: "priceFrom", columns: ["price"] },
  ] as const;
  const definition = { ...proxy, columns: [weight, price], filters };
  expect(describeFilters({ weightFrom: "2.5", priceFrom: "10.555" }, definition, conventions("UTC"))).toEqual([
    "Weight at least 2.5\u00A0kg",
    "Price at least 10.555\u00A0EUR",
  ]);
});

test("a filter that is a function's parameter is shown as its label and value", () => {
  const asOf = { ...cost, name: "asOf", value: "date", operator: "parameter", columns: [] } as const;
  const definition = { ...proxy, filters: [asOf] };
  expect(describeFilters({ asOf: "2026-11-27" }, definition, conventions("UTC"))).toEqual(["As of: 27 November 2026"]);
});
