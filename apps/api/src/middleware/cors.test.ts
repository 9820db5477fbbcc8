import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest } from "../test/api-under-test.ts";
import { corsAllowedHeaders, corsExposedHeaders } from "./cors.ts";

const origin = "https://app.example.com";
let api: Awaited<ReturnType<typeof startApiUnderTest>>;
beforeAll(async () => {
  api = await startApiUnderTest({ corsOrigins: [origin] });
});
afterAll(async () => api[Symbol.asyncDispose]());

const corsHeadersOf = (headers: Readonly<Record<string, string>>): readonly string[] =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

test("the response to a preflight of an allowed origin lists methods and headers", async () => {
  const preflight = { Origin: origin, "Access-Control-Request-Method": "POST" };
  const { status, headers } = await api.anonymous().options("/v1/reports").set(preflight);
  expect(status).toBe(204);
  expect(headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
    "access-control-allow-headers": corsAllowedHeaders.join(", "),
    "access-control-max-age": "600",
    vary: expect.stringContaining("Origin"),
  });
  expect(headers).not.toHaveProperty("access-control-allow-credentials");
});

test.each([
  ["/v1/reports", "https://other.example.com"],
  ["/v1/reports", "https://app.example.com.evil.example"],
  ["/v1/reports", "http://app.example.com"],
  ["/v1/reports", "null"],
  ["/metrics", origin],
  ["/health/ready", origin],
])("the response from %s to a page of %s has no CORS headers", async (path, from) => {
  for (const method of ["get", "options"] as const) {
    const { headers } = await (await api.as(builtInReportAuthorities))[method](path).set({ Origin: from });
    expect(corsHeadersOf(headers)).toEqual([]);
    expect(/\bOrigin\b/.test(headers["vary"] ?? "")).toBe(path.startsWith("/v1/"));
  }
});

test("a page of an origin in CORS_ORIGINS can start a report and read problems", async () => {
  const page = { Origin: origin, "Sec-Fetch-Site": "cross-site" };
  const body = { reportType: "PROXY", format: "csv" };
  const agent = await api.as(builtInReportAuthorities);
  const started = await agent.post("/v1/reports").set(page).send(body);
  expect(started.status).toBe(202);
  expect(started.headers).toMatchObject({
    "access-control-allow-origin": origin,
    "access-control-expose-headers": corsExposedHeaders.join(", "),
  });
  const byLegacyStart = await agent.get("/v1/report?reportType=PROXY").set(page);
  expect(byLegacyStart.status).toBe(202);
  for (const response of [await api.anonymous().get("/v1/reports").set(page), await agent.get("/v1/none").set(page)]) {
    expect(response.status).toBeGreaterThanOrEqual(401);
    expect(response.headers["access-control-allow-origin"]).toBe(origin);
  }
});

test("a page of an origin not in CORS_ORIGINS, or with a password, can't write or read", async () => {
  const before = await api.countRows();
  const basic = { Authorization: `Basic ${btoa("alice:a-password-of-20-letters")}` };
  const agent = await api.as(builtInReportAuthorities);
  for (const page of [
    { Origin: "https://other.example.com", "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://other.example.com", "Sec-Fetch-Site": "same-site" },
    { Origin: origin, "Sec-Fetch-Site": "cross-site", ...basic },
  ]) {
    const response = await agent.post("/v1/reports").set(page).send({ reportType: "PROXY", format: "csv" });
    expect(response.status).toBeGreaterThanOrEqual(401);
    expect(corsHeadersOf(response.headers)).toEqual([]);
  }
  expect(await api.countRows()).toEqual(before);
});

/** Headers that every page may set or read without permission (Fetch standard), and headers for browsers and proxies. */
const headersWithoutPermission = [
  "accept",
  "cache-control",
  "content-language",
  "content-length",
  "content-security-policy",
  "content-type",
  "expires",
  "last-modified",
  "vary",
  "x-accel-buffering",
];

test("CORS covers every header of requests and responses in the OpenAPI description", async () => {
  const { body } = await api.anonymous().get("/openapi.json");
  const operations = Object.values(body.paths as Record<string, Record<string, Operation>>).flatMap(Object.values);
  const components = body.components as { readonly parameters?: Record<string, Parameter> };
  const requested = operations.flatMap(({ parameters = [] }: Operation) =>
    parameters
      .map((each) => (each.$ref === undefined ? each : components.parameters![each.$ref.split("/").at(-1)!]!))
      .filter((parameter) => parameter.in === "header")
      .map(({ name }) => name),
  );
  const responded = operations.flatMap(({ responses = {} }: Operation) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  const missing = (found: readonly string[], listed: readonly string[]): readonly string[] => {
    const known = new Set([...headersWithoutPermission, ...listed.map((name) => name.toLowerCase())]);
    return [...new Set(found)].filter((name) => !known.has(name.toLowerCase()));
  };
  expect(requested.length).toBeGreaterThan(10);
  expect(responded.length).toBeGreaterThan(10);
  expect(missing(requested, corsAllowedHeaders)).toEqual([]);
  expect(missing(responded, corsExposedHeaders)).toEqual([]);
  expect(missing(corsExposedHeaders, responded)).toEqual([]);
});

interface Parameter {
  readonly $ref?: string;
  readonly in: string;
  readonly name: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, { readonly headers?: object }>>;
}
