import { repeatedParameterIssue } from "@reports/core/query";
import { expect, test } from "vitest";
import { findQueryIssues, isValidPercentEncoding, parseQuery } from "./query.ts";

test("parseQuery returns parameters in order, including repeated and empty ones", () => {
  expect(parseQuery("a=1&b=%C3%BC+x&a=2&c&=d&&e=f=g").pairs).toEqual([
    ["a", "1"],
    ["b", "ü x"],
    ["a", "2"],
    ["c", ""],
    ["", "d"],
    ["e", "f=g"],
  ]);
});

test.each(["a=%", "a=%z1", "a=%ff", "a=%C3", "%zz=1", "a=%ED%A0%80"])("the query %s is malformed", (text) => {
  const { pairs, issues } = parseQuery(text);
  expect(pairs).toEqual([]);
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatchObject({ code: "malformed_encoding" });
});

test("a repeated unknown parameter causes one issue, with the nearest known name", () => {
  expect(
    findQueryIssues(
      [
        ["limt", "1"],
        ["limt", "2"],
      ],
      ["limit", "count"],
    ),
  ).toEqual([
    expect.objectContaining({
      parameter: "limt",
      code: "unknown_parameter",
      message: expect.stringContaining("Did you mean limit?"),
    }),
  ]);
});

test("a repeated known parameter causes an issue", () => {
  expect(
    findQueryIssues(
      [
        ["limit", "1"],
        ["limit", "1"],
        ["limit", "1"],
      ],
      ["limit"],
    ),
  ).toEqual([repeatedParameterIssue("limit", 3)]);
});

test("isValidPercentEncoding accepts only percent-encoded UTF-8", () => {
  expect(isValidPercentEncoding("/a%20b/ü")).toBe(true);
  expect(isValidPercentEncoding("/%zz")).toBe(false);
});
