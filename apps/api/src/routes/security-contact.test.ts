import { afterAll, beforeAll, expect, test } from "vitest";
import { readApiConfig } from "../config.ts";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

const path = "/.well-known/security.txt";
const contact = "mailto:security@example.com";

let api: ApiUnderTest;
let without: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ securityContact: contact });
  without = await startApiUnderTest({ databaseUrl: api.databaseUrl });
});
afterAll(async () => {
  await without[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

test("security.txt contains the contact and an expiry within a year", async () => {
  const { headers, text } = await api.anonymous().get(path).expect(200);
  expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
  const fields = text.trimEnd().split("\n");
  expect(fields).toEqual([`Contact: ${contact}`, expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/)]);
  const expires = Date.parse(fields[1]!.slice("Expires: ".length));
  expect(expires).toBeGreaterThan(Date.now());
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
});

test("security.txt does not exist without SECURITY_CONTACT", async () => {
  const { status } = await without.anonymous().get(path);
  expect(status).toBe(404);
});

test("the OpenAPI document omits security.txt", async () => {
  const { body } = await api.anonymous().get("/openapi.json").expect(200);
  expect(Object.keys((body as { paths: object }).paths)).not.toContain(path);
});

test.each([
  "security@example.com",
  "http://example.com/report",
  "mailto:a@example.com\nPolicy: x",
  "mailto:ü@example.com",
])("readApiConfig rejects SECURITY_CONTACT=%j", (value) => {
  const least = { DATABASE_URL: "postgres://a:b@c/d", STORAGE_DIR: "/files" };
  expect(readApiConfig({ ...least, SECURITY_CONTACT: contact }).securityContact).toBe(contact);
  expect(() => readApiConfig({ ...least, SECURITY_CONTACT: value })).toThrow("SECURITY_CONTACT");
});
