import { expect, test } from "vitest";
import { normaliseWebhookUrl } from "./webhook-url.ts";

test.each([
  ["https://receiver.example/hook?x=1", "https://receiver.example/hook?x=1"],
  ["https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"],
  ["https:\\\\example.com\\a", "https://example.com/a"],
  ["HTTPS://EXAMPLE.com", "https://example.com/"],
  ["https:example.com", "https://example.com/"],
  ["https:///example.com", "https://example.com/"],
  ["https://example.com:443/", "https://example.com/"],
  ["http://hooks.internal:80/", "http://hooks.internal/"],
  ["https://example.com:0443/", "https://example.com/"],
  ["https://example.com./hook", "https://example.com/hook"],
  ["https://bücher.example/", "https://xn--bcher-kva.example/"],
  ["https://ｅｘａｍｐｌｅ。com/", "https://example.com/"],
  ["https://%65xample.com/%7ea", "https://example.com/%7ea"],
  ["https://example.com/a/../b/./c", "https://example.com/b/c"],
  ["https://example.com/ä?ö", "https://example.com/%C3%A4?%C3%B6"],
  ["https://0x7f.1/", "https://127.0.0.1/"],
  ["https://[2001:DB8:0:0::1]/", "https://[2001:db8::1]/"],
  ["receiver.example", null],
  ["https://", null],
])("normaliseWebhookUrl writes %s as %s", (text, normal) => {
  expect(normaliseWebhookUrl(text)).toBe(normal);
});

test("normaliseWebhookUrl returns a normal URL unchanged", () => {
  const once = normaliseWebhookUrl("https:\\\\BÜCHER.example.:443\\a\\..\\b");
  expect([once, normaliseWebhookUrl(once!)]).toEqual(["https://xn--bcher-kva.example/b", once]);
});
