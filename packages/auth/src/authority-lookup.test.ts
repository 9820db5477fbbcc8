import type { ReportTypeDefinition } from "@reports/core/report";
import { expect, test } from "vitest";
import { createAuthorityLookup, toTypesWithAuthorities } from "./authority-lookup.ts";

function definition(type: string): ReportTypeDefinition {
  return {
    type,
    version: 1,
    title: type,
    description: type,
    filters: [],
    columns: [],
    pdfColumns: [],
    where: [],
    prominentFilters: [],
    defaultSort: [],
    groupable: [],
    formats: {},
    summary: { figures: [], charts: [] },
    rows: { kind: "relation", relation: "none" },
  };
}

test("the built-in report types require the documented authorities", () => {
  const authorities = createAuthorityLookup({ reportTypes: ["PROXY", "PROXY_DOMAIN"] });
  expect(authorities.of("PROXY")).toBe("REPORT_PROXY");
  expect(authorities.of("PROXY_DOMAIN")).toBe("REPORT_PROXY_DOMAIN");
});

test("createAuthorityLookup throws if types have no authority, and names all of them", () => {
  expect(() => createAuthorityLookup({ reportTypes: ["PROXY", "LOST", "STRAY"] })).toThrow(
    /LOST has no authority.*STRAY has no authority/s,
  );
});

test.each(["constructor", "__proto__", "toString"])(
  "a report type called %s gets no authority from the prototype of an object",
  (type) => {
    expect(() => createAuthorityLookup({ reportTypes: [type] })).toThrow(/has no authority/);
    expect(createAuthorityLookup({ reportTypes: ["PROXY"] }).of(type)).toBeUndefined();
  },
);

test("an authority's override takes precedence, and one for an unknown type throws", () => {
  expect(createAuthorityLookup({ reportTypes: ["PROXY"], overrides: { PROXY: "MAY_SEE" } }).of("PROXY")).toBe(
    "MAY_SEE",
  );
  expect(() => createAuthorityLookup({ reportTypes: ["PROXY"], overrides: { PROXIES: "MAY_SEE" } })).toThrow(
    /PROXIES is given an authority/,
  );
});

test.each(["REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN"])(
  "a package cannot require the authority %s for a type, but a deployment can",
  (own) => {
    const taken = [{ definition: definition("PRINTER"), authority: own }];
    expect(() => toTypesWithAuthorities(taken)).toThrow(`PRINTER has the authority ${own}, which is the service's own`);
    expect(toTypesWithAuthorities(taken, { overrides: { PRINTER: own } }).authorities.of("PRINTER")).toBe(own);
  },
);

test("typesFor returns exactly the types whose authorities the caller has", () => {
  const { authorities } = toTypesWithAuthorities([
    { definition: definition("PROXY"), authority: "REPORT_PROXY" },
    { definition: definition("PROXY_DOMAIN"), authority: "REPORT_PROXY_DOMAIN" },
  ]);
  expect(authorities.typesFor(new Set(["REPORT_PROXY"]))).toEqual(["PROXY"]);
  expect(authorities.typesFor(new Set(["REPORT"]))).toEqual([]);
});

test("toTypesWithAuthorities registers each type with its authority", () => {
  const registered = toTypesWithAuthorities([
    { definition: definition("PROXY"), authority: "REPORT_PROXY" },
    { definition: definition("FIXTURE"), authority: "REPORT_FIXTURE" },
  ]);
  expect(registered.definitions.map(({ type }) => type)).toEqual(["PROXY", "FIXTURE"]);
  expect(registered.authorities.of("FIXTURE")).toBe("REPORT_FIXTURE");
});

test("toTypesWithAuthorities throws if a type is registered twice", () => {
  const entry = { definition: definition("PROXY"), authority: "REPORT_PROXY" };
  expect(() => toTypesWithAuthorities([entry, entry])).toThrow(/PROXY is registered twice/);
});
