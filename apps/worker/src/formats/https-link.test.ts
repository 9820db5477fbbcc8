import { expect, test } from "vitest";
import { parseHttpsUrl } from "./https-link.ts";

test.each([
  ["https://tickets.example.com/42?from=report#top", "https://tickets.example.com/42?from=report#top"],
  ["HTTPS://Example.com:8443", "https://example.com:8443/"],
  ["https://münchen.example/straße", "https://xn--mnchen-3ya.example/stra%C3%9Fe"],
  ["https://example.com/a b@c\\d", "https://example.com/a%20b@c/d"],
])("the text %s can become a link", (text, url) => {
  expect(parseHttpsUrl(text)).toBe(url);
});

test.each([
  "",
  "T-42",
  "http://example.com/",
  "javascript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "//example.com/",
  " https://example.com/",
  "https://",
  "https:///path",
  "https:\\\\example.com",
  "https://user@example.com/",
  "https://user:secret@example.com/",
  "https://good.example\\@bad.example/",
  "https://example.com/\nLocation: x",
  "https://exam\tple.com/",
  "https://example.com/\u0085",
  "https://[::1/",
  `https://example.com/${"a".repeat(2_064)}`,
  `https://example.com/${"ü".repeat(700)}`,
])("the text %j cannot become a link", (text) => {
  expect(parseHttpsUrl(text)).toBeNull();
});

test("a URL of 2,083 characters can become a link", () => {
  expect(parseHttpsUrl(`https://example.com/${"a".repeat(2_063)}`)).toHaveLength(2_083);
});
