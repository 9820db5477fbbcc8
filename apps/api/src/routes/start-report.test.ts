import { createLogger, createTracer } from "@reports/runtime";
import { startTraceCollector, waitFor } from "@reports/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
const dayMs = 86_400_000;
/** Time of the API's clock, which stands still, so that midnight cannot fall between two requests. */
const fixedMs = Date.now();
let clockAheadMs = 0;

beforeAll(async () => {
  api = await startApiUnderTest({ now: () => new Date(fixedMs + clockAheadMs) });
  await api.addUser("walter", "wachtwoord", ["REPORT_PROXY"]);
});
afterAll(async () => api[Symbol.asyncDispose]());
beforeEach(async () => {
  clockAheadMs = 0;
  await api.removeRows();
});

const idIn = /\/v1\/reports\/([0-9a-f-]{36})$/;

describe("successful legacy starts", () => {
  test("GET /v1/report answers 202 and creates one report with one job", async () => {
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent
      .get("/v1/report")
      .query({ reportType: "PROXY", searchParam: '{"health":"DOWN"}', format: "csv" });
    expect(response.status).toBe(202);
    expect(response.headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "no-store",
      "retry-after": "1",
      location: `/v1/reports/${response.body.id}`,
      link: `</v1/reports/${response.body.id}>; rel="canonical", </v1/report/download?reportType=PROXY&id=${response.body.id}>; rel="enclosure"`,
    });
    expect(response.body).toMatchObject({
      reportType: "PROXY",
      status: "QUEUED",
      format: "csv",
      searchParam: { health: ["DOWN"] },
      requestedBy: "https://issuer.example|alice",
      reused: false,
      file: null,
      error: null,
    });
    expect(response.headers["location"]).toMatch(idIn);
    expect(await api.countRows()).toEqual({ reports: 1, jobs: 1 });
  });

  test("GET /v1/report accepts searchParam in three spellings", async () => {
    const agent = await api.as(builtInReportAuthorities);
    const bodies = [];
    for (const searchParam of [
      "searchParam=%7B%22q%22%3A%22edge%22%7D",
      "searchParam%5Bq%5D=edge",
      "searchParam=edge",
    ]) {
      bodies.push((await agent.get(`/v1/report?reportType=PROXY&${searchParam}`).expect(202)).body);
    }
    expect(bodies.map(({ searchParam }) => searchParam)).toEqual([{ q: "edge" }, { q: "edge" }, { q: "edge" }]);
    expect(bodies.map(({ reused }) => reused)).toEqual([false, true, true]);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
  });

  test("a legacy start returns an earlier report only if equal, unfinished and own", async () => {
    const alice = await api.as(builtInReportAuthorities);
    const bob = await api.as(builtInReportAuthorities, "bob");
    const start = async (agent: typeof alice, query: Record<string, string>) =>
      (await agent.get("/v1/report").query({ reportType: "PROXY", ...query })).body;
    const first = await start(alice, {});
    expect(await start(alice, {})).toMatchObject({ id: first.id, reused: true });
    expect(await start(bob, {})).toMatchObject({ reused: false });
    expect(await start(alice, { format: "csv" })).toMatchObject({ reused: false });
    await api.fail(first.id);
    const next = await start(alice, {});
    expect(next.reused).toBe(false);
    expect(next.id).not.toBe(first.id);
  });

  test("a user can start a report with name and password", async () => {
    const response = await api.anonymous().get("/v1/report?reportType=PROXY").auth("walter", "wachtwoord");
    expect(response.status).toBe(202);
    expect(response.body.requestedBy).toBe("basic:walter");
  });

  test("a start stores the trace in the job and the request ID in the report", async () => {
    const agent = await api.as(builtInReportAuthorities);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, "X-Request-Id": "request-of-alice" };
    const { body } = await agent.get("/v1/report?reportType=PROXY").set(headers).expect(202);
    const [row] = await api.sql`select payload from report_queue_quick._private_jobs`;
    expect(JSON.stringify(row)).toContain(traceId);
    expect(await api.reports.find(body.id)).toMatchObject({
      requestId: "request-of-alice",
      traceparent: expect.stringContaining(traceId),
    });
    // The API logs a request only after it has sent the response.
    await waitFor(() => api.lines.some(({ msg, requestId }) => msg === "request" && requestId === "request-of-alice"), {
      what: "the request's line in the log",
    });
  });
});

test("a traced request has a span below the caller's span, but a probe has none", async () => {
  await using collector = await startTraceCollector();
  const logger = createLogger({ name: "api", level: "silent" });
  const traces = await createTracer({ endpoint: collector.url, share: 1, service: "reports-api", logger });
  await using other = await startApiUnderTest({ traces });
  const agent = await other.as(builtInReportAuthorities);
  await other.anonymous().get("/health/live").expect(200);
  const [traceId, callersSpan] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const { body } = await agent
    .get("/v1/report?reportType=PROXY")
    .set({ traceparent: `00-${traceId}-${callersSpan}-01`, "X-Request-Id": "request-of-alice" })
    .expect(202);
  const refused = await agent.get(`/v1/reports/${body.id}/no-such?q=secret`);
  expect(refused.status).toBe(404);
  // The API ends a trace span only after it has sent the response.
  await waitFor(() => other.lines.filter(({ msg }) => msg === "request").length >= 2, { what: "both requests to end" });
  await traces.close();
  // The API ends a span after it has sent the response, so the spans can arrive in another order than the requests.
  const start = collector.spans.find(({ name }) => name === "GET /v1/report");
  const rest = collector.spans.filter((span) => span !== start);
  expect(start).toMatchObject({ service: "reports-api", name: "GET /v1/report", traceId, parentSpanId: callersSpan });
  expect(start!.attributes).toEqual({
    "http.request.method": "GET",
    "http.route": "/v1/report",
    "http.response.status_code": 202,
    "request.id": "request-of-alice",
  });
  expect((await other.reports.find(body.id))?.traceparent).toBe(`00-${traceId}-${start!.spanId}-01`);
  expect(rest.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([["GET unknown", ""]]);
  expect(JSON.stringify(collector.spans)).not.toContain("secret");
});

test("with COALESCE_GET_STARTS=false, every GET creates a report", async () => {
  await using other = await startApiUnderTest({ coalesceGetStarts: false });
  const agent = await other.as(builtInReportAuthorities);
  await agent.get("/v1/report?reportType=PROXY").expect(202);
  const { body } = await agent.get("/v1/report?reportType=PROXY").expect(202);
  expect(body.reused).toBe(false);
  expect(await other.countRows()).toEqual({ reports: 2, jobs: 2 });
});

describe("HEAD /v1/report", () => {
  test("HEAD /v1/report answers 202 without a body and creates neither report nor job", async () => {
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent.head("/v1/report?reportType=PROXY");
    expect(response.status).toBe(202);
    expect(response.text ?? "").toBe("");
    expect(response.headers["location"]).toBeUndefined();
    expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
    const get = await agent.get("/v1/report?reportType=PROXY").expect(202);
    for (const name of ["content-type", "vary", "cache-control"])
      expect(response.headers[name]).toBe(get.headers[name]);
  });

  test.each([
    ["400", "reportType=PROXY&format=doc", builtInReportAuthorities],
    ["403", "reportType=PROXY", ["REPORT_PROXY_DOMAIN"]],
  ])("HEAD /v1/report answers %s if GET would", async (status, query, authorities) => {
    const agent = await api.as(authorities);
    expect((await agent.head(`/v1/report?${query}`)).status).toBe(Number(status));
    expect((await agent.get(`/v1/report?${query}`)).status).toBe(Number(status));
    expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  });
});

describe("invalid legacy starts", () => {
  test.each([
    ["a missing reportType", "", "reportType", "missing_parameter"],
    ["an unknown reportType", "reportType=NONE", "reportType", "unknown_report_type"],
    ["a lower-case reportType", "reportType=proxy", "reportType", "unknown_report_type"],
    ["a reportType of the prototype", "reportType=constructor", "reportType", "unknown_report_type"],
    ["a repeated reportType", "reportType=PROXY&reportType=PROXY", "reportType", "repeated_parameter"],
    ["an unknown parameter", "reportType=PROXY&fromat=csv", "fromat", "unknown_parameter"],
    ["a repeated option", "reportType=PROXY&format=csv&format=pdf", "format", "repeated_parameter"],
    ["an unknown format", "reportType=PROXY&format=doc", "format", "invalid_option"],
    ["broken percent-encoding", "reportType=PROXY&title=%zz", "title", "malformed_encoding"],
    ["bytes that are no UTF-8", "reportType=PROXY&title=%ff", "title", "malformed_encoding"],
    ["mixed spellings", "reportType=PROXY&searchParam=x&searchParam[q]=y", "searchParam", "mixed_spellings"],
    ["JSON that is a list", "reportType=PROXY&searchParam=[]", "searchParam", "not_an_object"],
    ["broken JSON", "reportType=PROXY&searchParam={", "searchParam", "malformed_json"],
    ["a searchParam above 4 KiB", `reportType=PROXY&searchParam=${"x".repeat(4097)}`, "searchParam", "too_long"],
    ["an unknown time zone", "reportType=PROXY&timezone=Mars", "timezone", "invalid_option"],
  ])("GET /v1/report answers 400 to %s and names the parameter", async (_, query, parameter, code) => {
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent.get(`/v1/report?${query}`);
    expect(response.status).toBe(400);
    expect(response.headers["content-type"]).toBe("application/problem+json");
    expect(response.body.errors).toContainEqual(expect.objectContaining({ parameter, code }));
    expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  });

  test("the 400 of a legacy start with a misspelled parameter suggests the nearest name", async () => {
    const response = await (await api.as(builtInReportAuthorities)).get("/v1/report?reportType=PROXY&fromat=csv");
    expect(response.body.errors[0].message).toContain("Did you mean format?");
  });

  test("the 400 of a legacy start lists all invalid parameters", async () => {
    const response = await (
      await api.as(builtInReportAuthorities)
    ).get("/v1/report?reportType=PROXY&format=doc&locale=%21&searchParam[health]=SICK&x=1");
    expect(response.body.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      "format",
      "locale",
      "searchParam[health]",
      "x",
    ]);
  });
});

describe("unauthenticated legacy starts", () => {
  test.each<[string, string | undefined]>([
    ["no credentials", undefined],
    ["an invalid token", "Bearer abc"],
    ["a wrong password", `Basic ${Buffer.from("walter:x").toString("base64")}`],
    ["an unknown user", `Basic ${Buffer.from("nobody:x").toString("base64")}`],
    ["another scheme", "Digest x"],
  ])("GET /v1/report answers 401 to %s, even if parameters are invalid", async (_, authorization) => {
    const get = api.anonymous().get("/v1/report?reportType=NONE&nonsense=1");
    const response = await (authorization === undefined ? get : get.set("Authorization", authorization));
    expect(response.status).toBe(401);
    expect(response.headers["www-authenticate"]).toMatch(/^Bearer .*Basic /);
    expect(response.body.status).toBe(401);
  });

  test("unknown users and wrong passwords get the same 401", async () => {
    const bodies = [];
    for (const name of ["walter", "nobody"]) {
      const { body } = await api.anonymous().get("/v1/report").auth(name, "x").set("X-Request-Id", "the-same-id");
      bodies.push(body);
    }
    expect(bodies[0]).toEqual(bodies[1]);
  });
});

describe("forbidden legacy starts", () => {
  test("a legacy start without the authority gets 403, even with invalid parameters", async () => {
    const agent = await api.as(["REPORT_PROXY_DOMAIN"]);
    const valid = await agent.get("/v1/report?reportType=PROXY").set("X-Request-Id", "the-same-id");
    const invalid = await agent
      .get("/v1/report?reportType=PROXY&format=doc&%zz")
      .set("X-Request-Id", "the-same-id")
      .set("Accept", "text/html");
    expect(valid.status).toBe(403);
    expect(valid.body.code).toBe("authority-missing");
    expect(invalid.status).toBe(403);
    expect(invalid.text).toBe(valid.text);
  });

  test.each([
    ["Sec-Purpose", "prefetch;prerender"],
    ["Purpose", "prefetch"],
    ["Sec-Fetch-Site", "cross-site"],
    ["Sec-Fetch-Site", "same-site"],
  ])("GET /v1/report answers 403 to a prefetch or cross-site request (%s: %s)", async (name, value) => {
    const agent = await api.as(builtInReportAuthorities);
    for (const method of ["get", "head"] as const) {
      expect((await agent[method]("/v1/report?reportType=PROXY").set(name, value)).status).toBe(403);
    }
    expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  });
});

test("GET /v1/report answers 406 and creates no report if JSON is not acceptable", async () => {
  const response = await (
    await api.as(builtInReportAuthorities)
  )
    .get("/v1/report?reportType=PROXY")
    .set("Accept", "application/pdf");
  expect(response.status).toBe(406);
  expect(response.body.detail).toContain("application/json");
  expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
});

test("GET /v1/report answers 503 while the database is unavailable", async () => {
  const other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const token = await createTestToken(builtInReportAuthorities);
  await other.database.close();
  const response = await other.anonymous().get("/v1/report?reportType=PROXY").set("Authorization", `Bearer ${token}`);
  expect(response.status).toBe(503);
  expect(response.headers["retry-after"]).toBe("5");
  await other[Symbol.asyncDispose]();
});

test("a successful and a refused start each have one audit line without secrets", async () => {
  api.lines.length = 0;
  const agent = await api.as(["REPORT_PROXY"]);
  const { body } = await agent.get("/v1/report?reportType=PROXY&searchParam=whisper");
  await agent.get("/v1/report?reportType=PROXY_DOMAIN");
  const audits = api.lines.filter(({ audit }) => audit === true);
  expect(audits).toHaveLength(2);
  expect(audits[0]).toMatchObject({
    action: "report.start",
    outcome: "done",
    recordId: body.id,
    reportType: "PROXY",
    principal: "https://issuer.example|alice",
    status: 202,
  });
  expect(audits[1]).toMatchObject({
    action: "report.start",
    outcome: "refused",
    status: 403,
    code: "authority-missing",
  });
  const text = JSON.stringify(api.lines);
  expect(text).not.toContain("whisper");
  expect(text).not.toContain("eyJ");
});

describe("relative times of a start", () => {
  const start = async (createdFrom: string, headers: Record<string, string> = {}) => {
    const agent = await api.as(builtInReportAuthorities);
    const searchParam = JSON.stringify({ createdFrom });
    return agent.get("/v1/report").query({ reportType: "PROXY", searchParam, timezone: "Asia/Tokyo" }).set(headers);
  };

  test("a start stores a relative time as an instant and as the caller wrote it", async () => {
    const { body } = await start("today");
    const midnight = new Date(body.searchParam.createdFrom as string);
    expect(midnight.toISOString()).toMatch(/T15:00:00\.000Z$/);
    expect(fixedMs - midnight.getTime()).toBeLessThan(dayMs);
    expect(body.searchParamGiven).toEqual({ createdFrom: "today" });
    const agent = await api.as(builtInReportAuthorities);
    const read = await agent.get(`/v1/reports/${body.id}`).expect(200);
    expect(read.body).toMatchObject({ searchParam: body.searchParam, searchParamGiven: { createdFrom: "today" } });
  });

  test("legacy starts are compared by the resolved `today`, but by `now` as written", async () => {
    const [today, now] = [await start("today"), await start("now-P1D")];
    clockAheadMs = 1;
    const again = [await start("now-P1D"), await start("now P1D"), await start("now+P1D")];
    expect(again.map(({ body }) => body.id === now.body.id)).toEqual([true, false, false]);
    expect(again.map(({ body }) => body.reused)).toEqual([true, false, true]);
    clockAheadMs = dayMs;
    const later = await start("today");
    expect(later.body).toMatchObject({ reused: false });
    expect(Date.parse(later.body.searchParam.createdFrom) - Date.parse(today.body.searchParam.createdFrom)).toBe(dayMs);
    expect((await start("now-P1D")).body).toMatchObject({ id: now.body.id, reused: true });
  });

  test("starts with the same Idempotency-Key are compared with relative times as written", async () => {
    const first = await start("today", { "Idempotency-Key": "relative" });
    clockAheadMs = dayMs;
    const second = await start("today", { "Idempotency-Key": "relative" });
    expect(second.headers["idempotency-replayed"]).toBe("true");
    expect(second.body).toEqual(first.body);
    const written = await start(first.body.searchParam.createdFrom as string, { "Idempotency-Key": "relative" });
    expect(written.body).toMatchObject({ status: 422, code: "idempotency-key-reused" });
  });
});
