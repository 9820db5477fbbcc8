import { repeatedParameter } from "@reports/core/query";
import { expect, test } from "vitest";
import { findQueryIssues, isDecodable, parseQuery } from "./query.ts";

test("a query is decoded in its order, repeats and empty values included", () => {
  expect(parseQuery("a=1&b=%C3%BC+x&a=2&c&=d&&e=f=g").pairs).toEqual([
    ["a", "1"],
    ["b", "ü x"],
    ["a", "2"],
    ["c", ""],
    ["", "d"],
    ["e", "f=g"],
  ]);
});

test.each(["a=%", "a=%z1", "a=%ff", "a=%C3", "%zz=1", "a=%ED%A0%80"])(
  "%s is named as malformed and not guessed",
  (text) => {
    const { pairs, issues } = parseQuery(text);
    expect(pairs).toEqual([]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ code: "malformed_encoding" });
  },
);

test("an unknown parameter is answered with the nearest name, once, however often it is given", () => {
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

test("a repeated parameter is an issue", () => {
  expect(
    findQueryIssues(
      [
        ["limit", "1"],
        ["limit", "1"],
        ["limit", "1"],
      ],
      ["limit"],
    ),
  ).toEqual([repeatedParameter("limit", 3)]);
});

test("a path is decodable when it is percent-encoded UTF-8", () => {
  expect(isDecodable("/a%20b/ü")).toBe(true);
  expect(isDecodable("/%zz")).toBe(false);
});
