import { describe, expect, it, test } from "vitest";
import { crossProxyDomainFilters } from "../../inventory/domain-filters.ts";
import type { Filter, FilterParseResult } from "../../query/filters.ts";
import { proxyFilters } from "../../inventory/proxy-filters.ts";
import * as searchParam from "./search-param.ts";
import { maxSearchParamBytes } from "./search-param.ts";

const moment = { now: new Date("2026-08-19T13:45:10Z"), timezone: "Europe/Amsterdam" };
const absolute = (
  result: FilterParseResult,
): Omit<FilterParseResult & { ok: true }, "given" | "defaulted"> | (FilterParseResult & { ok: false }) => {
  if (!result.ok) return result;
  expect(result.given).toEqual(result.filters);
  return { ok: true, filters: result.filters };
};
const searchParamFromQuery = (filters: readonly Filter[], pairs: readonly (readonly [string, string])[]) =>
  absolute(searchParam.searchParamFromQuery(filters, pairs, moment));
const searchParamFromBody = (filters: readonly Filter[], value: unknown) =>
  absolute(searchParam.searchParamFromBody(filters, value, moment));

const fromText = (text: string) => searchParamFromQuery(proxyFilters, [["searchParam", text]]);
const codes = (result: ReturnType<typeof fromText>): string[] =>
  result.ok ? [] : result.issues.map((issue) => issue.code);

describe("searchParam in its three spellings", () => {
  it("all spellings, orders and repetitions of the same filters have one normal form", () => {
    const expected = { ok: true, filters: { health: ["DOWN", "UP"], port: [443] } };
    const spellings: [string, string][][] = [
      [["searchParam", '{"port":443,"health":["UP","DOWN","UP"]}']],
      [["searchParam", '{"health":["DOWN","UP"],"port":"443"}']],
      [
        ["searchParam[health]", "UP"],
        ["searchParam[port]", "443"],
        ["searchParam[health]", "DOWN"],
      ],
    ];
    for (const pairs of spellings) expect(searchParamFromQuery(proxyFilters, pairs)).toEqual(expected);
    expect(searchParamFromBody(proxyFilters, { port: 443, health: ["UP", "DOWN"] })).toEqual(expected);
  });

  it("normalised filters are in alphabetical order, so that equal ones are equal text", () => {
    const result = fromText('{"region":"eu","name":"a","health":"UP"}');
    expect(result.ok && Object.keys(result.filters)).toEqual(["health", "name", "region"]);
  });

  it("a text filter normalises to NFC and refuses what its columns cannot contain", () => {
    const note = { operator: "in", value: "text", columns: ["note"], description: "Notes." } as const;
    const filters: readonly Filter[] = [
      { name: "note", ...note },
      { name: "parts", ...note, operator: "has" },
    ];
    const given = { note: "two\nlines\tand e\u0301", parts: "a\u0001b" };
    const expected = { note: ["two\nlines\tand é"], parts: ["a\u0001b"] };
    expect(searchParamFromBody(filters, given)).toEqual({ ok: true, filters: expected });
    for (const text of ["a\0b", "\uD800", "", "x".repeat(256)])
      expect(codes(searchParamFromBody(filters, { note: text }))).toEqual(["invalid_filter"]);
    for (const [registered, name] of [
      [proxyFilters, "ownerTeam"],
      [crossProxyDomainFilters, "certIssuer"],
      [crossProxyDomainFilters, "proxyRegion"],
    ] as const)
      expect(codes(searchParamFromBody(registered, { [name]: "two\nlines" }))).toEqual(["invalid_filter"]);
  });

  it("a searchParam that does not begin like JSON is the value of the filter q", () => {
    expect(fromText("  edge {")).toEqual({ ok: true, filters: { q: "  edge {" } });
    expect(searchParamFromBody(proxyFilters, "edge")).toEqual({ ok: true, filters: { q: "edge" } });
  });

  it.each([
    "edge",
    "",
    '{"health":"UP","port":["443"]}',
    '{"helth":"UP"}',
    "{bad",
    "{}",
    "[]",
    '["UP"]',
    '{"health":"UP","health":"DOWN"}',
    '{"__proto__":"x"}',
    "x".repeat(201),
  ])("the searchParam %s means the same in a query and in a body", (text) => {
    const [query, body] = [fromText(text), searchParamFromBody(proxyFilters, text)];
    expect(body.ok).toBe(query.ok);
    expect(codes(body)).toEqual(codes(query));
    expect(body.ok && body.filters).toEqual(query.ok && query.filters);
  });

  it("a missing or empty searchParam filters nothing", () => {
    expect(searchParamFromQuery(proxyFilters, [["format", "csv"]])).toEqual({ ok: true, filters: {} });
    expect(fromText("")).toEqual({ ok: true, filters: {} });
    expect(searchParamFromBody(proxyFilters, undefined)).toEqual({ ok: true, filters: {} });
  });

  it("searchParam is refused if it is repeated, mixed, malformed, a list or too long", () => {
    expect(
      codes(
        searchParamFromQuery(proxyFilters, [
          ["searchParam", "a"],
          ["searchParam[q]", "a"],
        ]),
      ),
    ).toEqual(["mixed_spellings"]);
    expect(
      codes(
        searchParamFromQuery(proxyFilters, [
          ["searchParam", "a"],
          ["searchParam", "a"],
        ]),
      ),
    ).toEqual(["repeated_parameter"]);
    expect(codes(fromText("{health:UP}"))).toEqual(["malformed_json"]);
    expect(codes(fromText('{"health":"UP","health":"DOWN"}'))).toEqual(["malformed_json"]);
    expect(codes(fromText('["UP"]'))).toEqual(["not_an_object"]);
    expect(codes(fromText("x".repeat(maxSearchParamBytes + 1)))).toEqual(["too_long"]);
    expect(codes(searchParamFromQuery(proxyFilters, [["searchParam[health", "UP"]]))).toEqual(["malformed_parameter"]);
    expect(codes(searchParamFromBody(proxyFilters, { q: "x".repeat(maxSearchParamBytes) }))).toEqual(["too_long"]);
  });
});

describe("values of filters", () => {
  it("all problems of filters are reported, each with its location and allowed values", () => {
    const result = searchParamFromBody(proxyFilters, { healt: "UP", health: "down", port: [0, 70_000], "a/b~": 1 });
    expect(result.ok).toBe(false);
    const issues = result.ok ? [] : result.issues;
    expect(issues.map((issue) => issue.pointer)).toEqual([
      "/searchParam/healt",
      "/searchParam/health",
      "/searchParam/port/0",
      "/searchParam/port/1",
      "/searchParam/a~1b~0",
    ]);
    expect(issues[0]!.message).toContain("Did you mean health?");
    expect(issues[1]!.message).toContain("UP, DEGRADED, DOWN, UNKNOWN");
    expect(issues[2]!.message).toContain("from 1 to 65535");
  });

  it.each([
    ["null", { health: null }],
    ["an empty list", { health: [] }],
    ["a nested object", { health: { in: ["UP"] } }],
    ["NUL in text", { name: "a\0b" }],
    ["a lone surrogate", { name: "\ud800" }],
    ["two values for a filter that takes one", { q: ["a", "b"] }],
    ["a fraction", { port: 80.5 }],
    ["prototype keys", JSON.parse('{"__proto__":["x"],"constructor":"y"}')],
    ["more than 100 values", { port: Array.from({ length: 101 }, (_, index) => index + 1) }],
    ["a text that is too long", { q: "x".repeat(201) }],
  ])("a filter refuses %s as its value", (_, value) => {
    expect(searchParamFromBody(proxyFilters, value).ok).toBe(false);
  });

  it("the length of a filter value is counted in characters, not in UTF-16 units", () => {
    expect(searchParamFromBody(proxyFilters, { q: "😀".repeat(200) }).ok).toBe(true);
  });

  it("filters by time are converted to UTC, and an empty range is refused", () => {
    const search = (from: string, to: string) =>
      searchParamFromBody(proxyFilters, { createdFrom: from, createdTo: to });
    expect(search("2026-01-01T00:00:00.123456+02:00", "2026-01-01T00:00:00Z")).toEqual({
      ok: true,
      filters: { createdFrom: "2025-12-31T22:00:00.123456Z", createdTo: "2026-01-01T00:00:00Z" },
    });
    expect(codes(search("2026-01-01T00:00:00Z", "2026-01-01T01:00:00+01:00"))).toEqual(["empty_range"]);
    expect(codes(search("2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00Z"))).toEqual(["empty_range"]);
    expect(search("2026-01-01T00:00:00Z", "2026-01-01T00:00:00.5Z").ok).toBe(true);
  });

  it.each([
    "2026-02-30T00:00:00Z",
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01T24:00:00Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "0999-12-31T23:59:59Z",
    "1000-01-01T00:00:00+01:00",
    "2026-01-01T00:00:00+24:00",
  ])("a filter by time refuses %s", (text) => {
    expect(codes(searchParamFromBody(proxyFilters, { createdFrom: text }))).toEqual(["invalid_filter"]);
  });

  it("hostname accepts Unicode names but no single label; hostnameSuffix accepts both", () => {
    const search = (value: unknown) => searchParamFromBody(crossProxyDomainFilters, value);
    expect(search({ hostname: "BÜCHER.example" })).toEqual({
      ok: true,
      filters: { hostname: ["xn--bcher-kva.example"] },
    });
    expect(search({ hostnameSuffix: "Example" })).toEqual({ ok: true, filters: { hostnameSuffix: ["example"] } });
    expect(search({ hostname: "example" }).ok).toBe(false);
  });

  it("filters normalise texts to the form of the stored values, so that they match", () => {
    const search = (value: unknown) => searchParamFromBody(crossProxyDomainFilters, value);
    expect(search({ upstreamHost: ["BACKEND.Example.org", "2001:DB8:0:0::1", "192.0.2.1", "bücher"] })).toEqual({
      ok: true,
      filters: { upstreamHost: ["192.0.2.1", "2001:db8::1", "backend.example.org", "xn--bcher-kva"] },
    });
    expect(search({ q: "Bu\u0308cher", certIssuer: "Bu\u0308cher" })).toEqual({
      ok: true,
      filters: { certIssuer: ["B\u00fccher"], q: "B\u00fccher" },
    });
    expect(search({ servesHost: "WWW.Bücher.example." })).toEqual({
      ok: true,
      filters: { servesHost: ["www.xn--bcher-kva.example"] },
    });
    expect(fromText('{"createdFrom":"1000-01-01T00:00:00Z"}').ok).toBe(true);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a country in lower case", { countryCode: "de" }, "such as DE"],
    ["a country that there is not", { countryCode: "ZZ" }, "such as DE"],
    ["a name in upper case", { name: "Edge" }, "a-z, 0-9 and -"],
    ["an upstream that is no host", { upstreamHost: "a b" }, "a host name or an IP address"],
    ["a name of a proxy with a dot", { proxyName: "edge.eu" }, "a-z, 0-9 and -"],
    ["a host with a wildcard", { servesHost: "*.example.org" }, "such as www.example.org"],
  ])("a filter refuses a value that can never match: %s", (_, value, rule) => {
    const filters = "countryCode" in value || "name" in value ? proxyFilters : crossProxyDomainFilters;
    const result = searchParamFromBody(filters, value);
    expect(codes(result)).toEqual(["invalid_filter"]);
    expect(result.ok ? "" : result.issues[0]!.message).toContain(rule);
  });
});

const filterOf = (name: string, operator: Filter["operator"], value: Filter["value"], columns = [name]): Filter => ({
  name,
  operator,
  value,
  columns,
  description: "Any.",
});

describe("days, decimals, exclusions and missing values", () => {
  const filters: readonly Filter[] = [
    filterOf("due", "in", "date"),
    filterOf("dueFrom", "from", "date", ["due"]),
    filterOf("dueTo", "to", "date", ["due"]),
    { ...filterOf("costFrom", "from", "decimal", ["cost"]), min: 0 },
    filterOf("costTo", "to", "decimal", ["cost"]),
    filterOf("stateNot", "notIn", "text"),
    filterOf("ownerEmpty", "empty", "boolean"),
  ];
  const read = (value: unknown) => searchParam.searchParamFromBody(filters, value, moment);
  const problems = (value: unknown): readonly string[] => {
    const result = read(value);
    return result.ok ? [] : result.issues.map(({ code, message }) => `${code}: ${message}`);
  };

  test("filters of days, decimals, exclusions and missing values have one normal form", () => {
    const given = { due: ["2026-02-28", "today", "2026-02-28"], dueFrom: "thisMonth-P1M", costFrom: "007.50" };
    expect(read({ ...given, costTo: "1000000000000000000000.01", stateNot: "B", ownerEmpty: "true" })).toEqual({
      ok: true,
      defaulted: [],
      filters: {
        costFrom: "7.5",
        costTo: "1000000000000000000000.01",
        due: ["2026-02-28", "2026-08-19"],
        dueFrom: "2026-07-01",
        ownerEmpty: true,
        stateNot: ["B"],
      },
      given: {
        costFrom: "7.5",
        costTo: "1000000000000000000000.01",
        due: ["2026-02-28", "today"],
        dueFrom: "thisMonth-P1M",
        ownerEmpty: true,
        stateNot: ["B"],
      },
    });
    expect(read({ dueFrom: "now", dueTo: "today+P1D" }).ok).toBe(true);
  });

  test.each<[string | number, string]>([
    ["2026-02-29", "dueFrom must be a day of the years 1000 to 9999, such as 2026-01-31, or one of now, today"],
    ["2026-01-31T00:00:00Z", "a day of the years"],
    ["0999-12-31", "a day of the years"],
    ["10000-01-01", "a day of the years"],
    ["31.01.2026", "a day of the years"],
    ["2026-01-31'; drop table due; --", "a day of the years"],
    ["2026-01-31\0", "a day of the years"],
    ["２０２６-01-31", "a day of the years"],
    [20_260_131, "20260131 is not"],
  ])("a filter of days refuses %j", (value, message) => {
    const [problem] = problems({ dueFrom: value });
    expect(problem).toContain("invalid_filter");
    expect(problem).toContain(message);
    expect(problem!.length).toBeLessThan(500);
  });

  test.each<[string | number]>([
    [10.5],
    [10],
    ["1e3"],
    ["10,5"],
    ["+1"],
    [".5"],
    ["5."],
    ["NaN"],
    ["Infinity"],
    ["-1"],
    ["1 or true"],
    ["1\0"],
    ["٣"],
    ["9".repeat(31)],
    [`0.${"1".repeat(31)}`],
    ["1".repeat(3_000)],
  ])("a filter of decimals refuses %j", (value) => {
    const [problem] = problems({ costFrom: value });
    expect(problem).toContain(
      'costFrom must be a decimal number as text, such as "10.5", with up to 30 digits before the point and 30 after it, at least 0; ',
    );
    expect(problem!.length).toBeLessThan(300);
  });

  test("a range of equal days or decimals is refused, because its end is excluded", () => {
    expect(problems({ dueFrom: "today", dueTo: "2026-08-19" })).toEqual(["empty_range: dueFrom must be before dueTo."]);
    expect(problems({ costFrom: "9.50", costTo: "9.5" })).toEqual(["empty_range: costFrom must be before costTo."]);
    expect(problems({ costFrom: "9.5", costTo: "10" })).toEqual([]);
  });

  test("filters without columns form a range only if their names differ in From and To", () => {
    const without = [
      filterOf("weightFrom", "from", "decimal", []),
      filterOf("priceTo", "to", "decimal", []),
      filterOf("weightTo", "to", "decimal", []),
    ];
    const search = (value: unknown) => searchParam.searchParamFromBody(without, value, moment);
    expect(search({ weightFrom: "9", priceTo: "1" }).ok).toBe(true);
    expect(search({ weightFrom: "9", weightTo: "1" })).toMatchObject({ ok: false, issues: [{ code: "empty_range" }] });
  });

  test("a filter for missing values takes only true or false", () => {
    expect(problems({ ownerEmpty: null })).toEqual(["invalid_filter: ownerEmpty must be true or false; null is not."]);
    expect(problems({ ownerEmpty: [true, false] })).toHaveLength(1);
    expect(problems({ ownerEmpty: "" })).toHaveLength(1);
  });
});

describe("relative times", () => {
  const given = { certNotAfterFrom: "today", certNotAfterTo: "now+P30D" };
  const expected = {
    ok: true,
    defaulted: [],
    filters: { certNotAfterFrom: "2026-08-18T22:00:00Z", certNotAfterTo: "2026-09-18T13:45:10Z" },
    given,
  };

  test("relative times in filters are resolved in the time zone, and kept as written", () => {
    expect(searchParam.searchParamFromBody(crossProxyDomainFilters, given, moment)).toEqual(expected);
    const query = (pairs: [string, string][]) =>
      searchParam.searchParamFromQuery(crossProxyDomainFilters, pairs, moment);
    expect(query([["searchParam", JSON.stringify(given)]])).toEqual(expected);
    const brackets: [string, string][] = [
      ["searchParam[certNotAfterFrom]", "today"],
      ["searchParam[certNotAfterTo]", "now P30D"],
    ];
    expect(query(brackets)).toEqual(expected);
  });

  test("a range of relative times is refused if it is empty when resolved", () => {
    const swapped = { certNotAfterFrom: "now+P30D", certNotAfterTo: "today" };
    const result = searchParam.searchParamFromBody(crossProxyDomainFilters, swapped, moment);
    expect(result.ok ? [] : result.issues.map(({ code }) => code)).toEqual(["empty_range"]);
  });

  test("a text filter does not resolve a value that looks like a relative time", () => {
    const result = searchParam.searchParamFromBody(proxyFilters, { name: "today", q: "now" }, moment);
    expect(result).toMatchObject({ ok: true, filters: { name: ["today"], q: "now" } });
  });
});

describe("required filters and defaults", () => {
  const time = { value: "timestamp", columns: ["createdAt"], description: "Time." } as const;
  const from: Filter = { name: "from", operator: "from", ...time };
  const to: Filter = { name: "to", operator: "to", ...time };
  const state = { name: "state", operator: "in", value: "enum", columns: ["state"], description: "State." } as const;
  const filters: readonly Filter[] = [
    { ...from, default: "today-P30D" },
    to,
    { ...state, values: ["A", "B"], required: true },
  ];
  const read = (given: unknown): FilterParseResult => searchParam.searchParamFromBody(filters, given, moment);

  test.each([[undefined], [null], [""], [{}], ['{"from":"today"}'], ["text"], [{ to: "now" }]])(
    "a body with the filters %j is refused, because a required filter is missing",
    (given) => {
      const result = read(given);
      const issues = result.ok ? [] : result.issues.filter(({ code }) => code === "required");
      expect(issues.map(({ message }) => message)).toEqual(["The filter state is required; it must be one of A, B."]);
    },
  );

  test("the issue of a missing required filter names where the filter belongs", () => {
    const issuesOf = (result: FilterParseResult) => (result.ok ? [] : result.issues);
    expect(issuesOf(read({}))).toMatchObject([{ pointer: "/searchParam/state" }]);
    const query = (...pairs: [string, string][]) => issuesOf(searchParam.searchParamFromQuery(filters, pairs, moment));
    expect(query()).toMatchObject([{ parameter: "searchParam.state", code: "required" }]);
    expect(query(["searchParam[to]", "now"])).toMatchObject([{ parameter: "searchParam[state]", code: "required" }]);
  });

  test("a filter's default is resolved, kept as written and replaced if a value is given", () => {
    expect(read({ state: "B" })).toEqual({
      ok: true,
      defaulted: ["from"],
      filters: { from: "2026-07-19T22:00:00Z", state: ["B"] },
      given: { from: "today-P30D", state: ["B"] },
    });
    expect(read({ state: "B", from: "today" })).toMatchObject({ ok: true, given: { from: "today" } });
    expect(read({ state: "B", from: null })).toMatchObject({ ok: false, issues: [{ code: "invalid_filter" }] });
  });

  test("the issue of a range that a default makes empty names the default", () => {
    const result = read({ state: "A", to: "2020-01-01T00:00:00Z" });
    const message = "from (by default today-P30D) must be before to.";
    expect(result).toMatchObject({ ok: false, issues: [{ code: "empty_range", message }] });
  });
});
