import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeServer, createLogger, createMetrics, listen, newId, noopTracer } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { createAuthenticator, createReportAccess, toTypesWithAuthorities } from "@reports/auth";
import { builtInRegistrations, createCatalogue } from "@reports/core/report";
import { DomainError, CommitOutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import request from "supertest";
import { z } from "zod";
import { createApp } from "./app.ts";
import { defineEndpoint, describeProblems, type Endpoint } from "./endpoint/endpoint.ts";
import { openApiTags } from "./endpoint/open-api-tag.ts";
import { createDownloadLimiter } from "./limits/download-limiter.ts";
import { createRequestLimiter } from "./limits/request-limiter.ts";
import { createAuditLog } from "./middleware/audit.ts";
import { createBodyMemoryBudget, defaultBodyMemoryLimits } from "./limits/body-memory-budget.ts";
import { createRefusalThrottle } from "./limits/refusal-throttle.ts";
import { createHttpServer } from "./server.ts";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "./test/api-under-test.ts";
import type { ApiUnderTest } from "./test/api-under-test.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

const problemShape = {
  type: expect.stringMatching(/^\/problems\/[a-z0-9-]+$/),
  title: expect.any(String),
  status: expect.any(Number),
  code: expect.any(String),
  detail: expect.any(String),
  instance: expect.any(String),
  requestId: expect.any(String),
  errors: expect.any(Array),
};

describe("problem documents", () => {
  test.each([
    ["400 for a query", "/v1/reports?x=1", 400],
    ["404 for a path", "/v1/nothing", 404],
    ["404 for a record", "/v1/reports/abc", 404],
    ["406", "/v1/reports", 406],
  ])("the response %s has a problem document (RFC 9457) as its body", async (_, path, status) => {
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent.get(path).set("Accept", status === 406 ? "text/html" : "*/*");
    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(response.body).toEqual(problemShape);
    expect(response.body).toMatchObject({
      status,
      requestId: response.headers["x-request-id"],
      instance: path.split("?")[0],
    });
  });
});

describe("paths", () => {
  test.each([
    "/v1/report/",
    "/V1/report",
    "/v1/Report",
    "//v1/report",
    "/v1/report/download/",
    "/",
    "/v1",
    "/v1/reports/%61/",
  ])("the API answers 404 to the unknown path %s", async (path) => {
    const response = await (await api.as(builtInReportAuthorities)).get(path).query({ reportType: "PROXY" });
    expect(response.status).toBe(404);
    expect(response.body.code).toBe("path-not-found");
  });

  test.each(["/v1/reports/%zz", "/v1/reports/%ff", "/%"])("the malformed path %s gets a 400", async (path) => {
    const response = await (await api.as(builtInReportAuthorities)).get(path);
    expect(response.status).toBe(400);
    expect(response.body.code).toBe("malformed-path");
  });
});

describe("methods", () => {
  const reading = "GET, HEAD, OPTIONS";
  const paths = [
    ["/v1/report", reading],
    ["/v1/report/download", reading],
    ["/v1/reports/abc/files", "GET, HEAD, POST, OPTIONS"],
    ["/v1/report-types", reading],
    ["/v1/report-types/PROXY", reading],
    ["/v1/report-types/PROXY/rows", reading],
    ["/health/live", reading],
    ["/health/ready", reading],
    ["/metrics", reading],
  ] as const;

  test.each(paths)("OPTIONS %s answers 204 with Allow, without credentials", async (path, allow) => {
    const response = await api.anonymous().options(path);
    expect(response.status).toBe(204);
    expect(response.headers["allow"]).toBe(allow);
    expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  });

  test.each(paths)("the API answers 405 with Allow to unsupported methods of %s", async (path, allow) => {
    const agent = await api.as(builtInReportAuthorities);
    const others = (["post", "put", "patch", "delete", "trace"] as const).filter(
      (method) => !allow.includes(method.toUpperCase()),
    );
    expect(others.length).toBeGreaterThan(3);
    for (const method of others) {
      const response = await agent[method](path);
      expect(response.status).toBe(405);
      expect(response.headers["allow"]).toBe(allow);
      expect(response.body.code).toBe("method-not-allowed");
    }
    expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  });
});

describe("responses", () => {
  test("a response has the caller's request ID if it is harmless, otherwise a new one", async () => {
    const idOf = async (given: string) =>
      (await api.anonymous().get("/health/live").set("X-Request-Id", given)).headers["x-request-id"];
    expect(await idOf("abcd-1234")).toBe("abcd-1234");
    expect(await idOf("short")).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idOf('"><script>alert(1)</script>')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a response forbids content sniffing and does not name the server software", async () => {
    for (const path of ["/health/live", "/nothing"]) {
      const { headers } = await api.anonymous().get(path);
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["x-powered-by"]).toBeUndefined();
      expect(headers["server"]).toBeUndefined();
    }
  });

  test("a request is logged once, with the pattern of its route instead of its URL", async () => {
    api.lines.length = 0;
    await (await api.as(builtInReportAuthorities)).get("/v1/reports/whisper?secret=1");
    const lines = api.lines.filter(({ msg }) => msg === "request");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      route: "/v1/reports/{id}",
      status: 400,
      method: "GET",
      principal: "https://issuer.example|alice",
    });
    expect(JSON.stringify(api.lines)).not.toContain("whisper");
  });
});

test("the API rejects a request with two Authorization headers, even if both are valid", async () => {
  const agent = await api.as(builtInReportAuthorities);
  const good = `Bearer ${await createTestToken(builtInReportAuthorities)}`;
  const response = await agent.get("/v1/reports").set("Authorization", [good, good] as unknown as string);
  expect(response.status).toBe(401);
});

describe("endpoints", () => {
  const base = {
    method: "GET",
    operationId: "test",
    summary: "Test",
    description: "Test.",
    tag: openApiTags.operations,
    access: { kind: "public" },
    produces: ["application/json"],
  } as const;
  const spec = { kind: "json", description: "A number.", schema: z.strictObject({ n: z.number() }) } as const;

  test("an unexpected error is answered with 500 and a request ID, but no details", async () => {
    const { agent, lines } = serve(
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec },
        handle: () => Promise.reject(new TypeError("select * from secrets")),
      }),
    );
    const response = await agent.get("/test");
    expect(response.status).toBe(500);
    expect(response.body).toEqual(problemShape);
    expect(response.text).not.toContain("secrets");
    expect(
      lines.some(({ level, error }) => level === "error" && JSON.stringify(error).includes("select * from secrets")),
    ).toBe(true);
  });

  test.each([
    ["an overload", new DomainError("unavailable", "login-busy", "Too many at once."), "login-busy", 0],
    ["an unavailable dependency", new StoreUnavailableError("Postgres is unavailable."), "dependency-unavailable", 1],
    ["an unconfirmed COMMIT", new CommitOutcomeUnknownError("A standby is frozen."), "outcome-unknown", 1],
  ])("a 503 because of %s logs its code, and a warning if a dependency failed", async (_, error, code, warnings) => {
    const { agent, lines } = serve(
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec, ...describeProblems({ 503: "Not now." }) },
        handle: () => Promise.reject(error),
      }),
    );
    await agent.get("/test").expect(503);
    await waitFor(async () => lines.some(({ msg }) => msg === "request"), { what: "the request's line" });
    expect(lines.find(({ msg }) => msg === "request")).toMatchObject({ status: 503, code });
    expect(lines.filter(({ level }) => level === "warn")).toHaveLength(warnings);
  });

  test.each<[string, Endpoint]>([
    [
      "a body that its schema forbids",
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec },
        handle: async () => ({ status: 200, body: { kind: "json", value: { n: "1" } } }),
      }),
    ],
    [
      "a field that its schema lacks",
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec },
        handle: async () => ({ status: 200, body: { kind: "json", value: { n: 1, more: 2 } } }),
      }),
    ],
    [
      "an undeclared status",
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec },
        handle: async () => ({ status: 202, body: { kind: "json", value: { n: 1 } } }),
      }),
    ],
    [
      "an undeclared header",
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: spec },
        handle: async () => ({ status: 200, headers: { "X-New": "1" }, body: { kind: "json", value: { n: 1 } } }),
      }),
    ],
    [
      "an undeclared media type",
      defineEndpoint({
        ...base,
        path: "/test",
        responses: { 200: { kind: "text", description: "A text.", mediaTypes: ["text/csv"] } },
        handle: async () => ({ status: 200, body: { kind: "text", contentType: "text/plain", text: "n" } }),
      }),
    ],
    [
      "a problem that is not declared",
      defineEndpoint({
        ...base,
        path: "/test",
        query: z.object({}),
        responses: { 200: spec, ...describeProblems({ 404: "Never." }) },
        handle: async ({ query }) => ({ status: 200, body: { kind: "json", value: query } }),
      }),
    ],
  ])("with checkResponses, a response with %s becomes a 500", async (what, endpoint) => {
    const response = await serve(endpoint).agent.get(what.startsWith("a problem") ? "/test?x=1" : "/test");
    expect(response.status).toBe(500);
  });
});

function serve(endpoint: Endpoint) {
  const lines: Record<string, unknown>[] = [];
  const { definitions, authorities } = toTypesWithAuthorities(builtInRegistrations.reportTypes);
  const logger = createLogger({
    name: "api",
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const listener = createApp({
    endpoints: [endpoint],
    catalogue: createCatalogue(definitions),
    authorities,
    reports: api.reports,
    reportAccess: createReportAccess({ authorities, visibility: "type" }),
    noteCaller: () => undefined,
    authenticate: createAuthenticator({}),
    logger,
    audit: createAuditLog({ logger }),
    refusals: createRefusalThrottle({ perSecond: 0 }),
    metrics: createMetrics(),
    traces: noopTracer,
    newId,
    basePath: "",
    requestLimiter: createRequestLimiter({ perMinute: 0 }),
    downloads: createDownloadLimiter({ total: 0, perPrincipal: 0 }),
    trustedProxyHops: 0,
    corsOrigins: [],
    bodies: createBodyMemoryBudget(defaultBodyMemoryLimits),
    checkResponses: true,
  });
  return { agent: request(listener), lines };
}

test("the API answers 408 to a request body that is too slow, and logs no error", async () => {
  const server = createHttpServer(api.listener, { newId, basePath: "" });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const before = api.lines.length;
  const authorization = `Authorization: Bearer ${await createTestToken(builtInReportAuthorities)}`;
  const head = ["POST /v1/reports HTTP/1.1", "Host: x", "Content-Type: application/json", "Content-Length: 100"];
  const begun = once(server, "request");
  const socket = connect(port, "127.0.0.1");
  socket.write(`${[...head, authorization].join("\r\n")}\r\n\r\n{`);
  await begun;
  // Node reads both limits at each of its checks, and applies the shorter one to the headers. The headers have arrived, so only the body is too slow.
  server.headersTimeout = server.requestTimeout = 100;
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  // The API logs the line of a request last, so an error would already be in the log.
  await waitFor(() => api.lines.slice(before).some(({ msg }) => msg === "request"), { what: "the request's line" });
  expect(api.lines.slice(before).filter(({ level }) => level === "error")).toEqual([]);
  await closeServer(server, AbortSignal.timeout(5_000));
});
