import { describe, expect, test } from "vitest";
import { findOutputDifferences } from "./find-output-differences.ts";

function accepts(language: string, page: string, real: string): boolean {
  return findOutputDifferences(language, page, real).length === 0;
}

describe("JSON output", () => {
  const real = '{"id":"0199c0de","status":"SUCCEEDED","rows":[1,2,3],"file":{"size":7},"error":null}';

  test.each([
    [
      "the same in another layout",
      '{ "error": null, "file": { "size": 7 }, "id": "0199c0de", "status": "SUCCEEDED", "rows": [1, 2, 3] }',
    ],
    ["placeholders for values", '{ "id": "…", "status": "SUC…", "rows": "…", "file": "…", "error": "…" }'],
    ["a placeholder for the other fields and elements", '{ "rows": [1, "…"], "…": "…" }'],
  ])("real JSON output matches a page that shows %s", (_, page) => expect(accepts("json", page, real)).toBe(true));

  test.each([
    ["another value", '{ "status": "FAILED", "…": "…" }'],
    ["another type", '{ "file": { "size": "7" }, "…": "…" }'],
    ["a field that is missing", '{ "warnings": "…", "…": "…" }'],
    ["a field too few", '{ "id": "…", "status": "…", "rows": "…", "file": "…" }'],
    ["an element too few", '{ "rows": [1, 2], "…": "…" }'],
    ["an element too many", '{ "rows": [1, 2, 3, 4, "…"], "…": "…" }'],
    ["elements in another order", '{ "rows": [2, 1, 3], "…": "…" }'],
  ])("real JSON output does not match a page that shows %s", (_, page) =>
    expect(accepts("json", page, real)).toBe(false),
  );

  test("real output that is not JSON does not match a page that shows JSON", () =>
    expect(accepts("json", "{}", "Bad Gateway")).toBe(false));
});

describe("HTTP output", () => {
  const real = 'HTTP/1.1 202 Accepted\r\nlocation: /v1/reports/1\r\nRetry-After: 1\r\n\r\n{"id":"1"}';

  test.each([
    ["some of its headers", 'HTTP/1.1 202 Accepted\nLocation: /v1/reports/…\n\n{ "id": "…" }'],
    ["no headers", 'HTTP/1.1 202 Accepted\n\n{ "id": "1" }'],
  ])("a real HTTP response matches a page that shows %s", (_, page) => expect(accepts("http", page, real)).toBe(true));

  test.each([
    ["another status", 'HTTP/1.1 200 OK\n\n{ "id": "1" }'],
    ["another header", 'HTTP/1.1 202 Accepted\nRetry-After: 2\n\n{ "id": "1" }'],
    ["another body", 'HTTP/1.1 202 Accepted\n\n{ "id": "2" }'],
    ["no body", "HTTP/1.1 202 Accepted\nRetry-After: 1"],
  ])("a real HTTP response does not match a page that shows %s", (_, page) =>
    expect(accepts("http", page, real)).toBe(false),
  );
});

describe("text output", () => {
  const real = "\uFEFFhostname,port\r\na.example,443\r\nb.example,80\r\n";

  test.each([
    ["the same lines", "hostname,port\na.example,443\nb.example,80\n"],
    ["a placeholder in a line", "hostname,…\na.…,443\nb.example,80\n"],
    ["a placeholder for lines", "hostname,port\n…\nb.example,80\n"],
    ["a placeholder for the last lines", "hostname,port\n…\n"],
  ])("real text output matches a page that shows %s", (_, page) => expect(accepts("text", page, real)).toBe(true));

  test.each([
    ["another line", "hostname,port\na.example,80\nb.example,80\n"],
    ["a line too few", "hostname,port\na.example,443\n"],
    ["a placeholder for one line where there are two", "hostname,port\na…\n"],
    ["another last line", "hostname,port\n…\nc.example,80\n"],
  ])("real text output does not match a page that shows %s", (_, page) =>
    expect(accepts("text", page, real)).toBe(false),
  );
});
