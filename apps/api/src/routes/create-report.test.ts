import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;
/** Time of the API's clock, which stands still, so that `Retry-After` is that of a new report even on a busy machine. */
const startedAt = new Date();

beforeAll(async () => {
  api = await startApiUnderTest({ now: () => startedAt });
  agent = await api.as(builtInReportAuthorities);
});
afterAll(async () => api[Symbol.asyncDispose]());

const post = (body: string | Buffer, type = "application/json") =>
  agent
    .post("/v1/reports")
    .set("Content-Type", type)
    .serialize((bytes: string) => bytes)
    .send(body);

test("POST /v1/reports answers 202 like the legacy start, but always creates a report", async () => {
  const body = {
    reportType: "PROXY_DOMAIN",
    searchParam: { severity: "EXPIRED" },
    format: "csv",
    csvBom: false,
    columns: ["hostname"],
  };
  const first = await agent.post("/v1/reports").send(body);
  expect(first.status).toBe(202);
  expect(first.headers).toMatchObject({
    location: `/v1/reports/${first.body.id}`,
    "retry-after": "1",
    "cache-control": "no-store",
  });
  expect(first.body).toMatchObject({
    searchParam: { severity: ["EXPIRED"] },
    format: "csv",
    options: { csvBom: false, columns: ["hostname"] },
    reused: false,
  });
  const second = await agent.post("/v1/reports").send(body);
  expect(second.body.id).not.toBe(first.body.id);
  expect(await api.countRows()).toEqual({ reports: 2, jobs: 2 });
});

describe("invalid starts", () => {
  test.each<[number, string, string | Buffer, string]>([
    [400, "an empty body", "", "application/json"],
    [400, "incomplete JSON", '{"reportType":', "application/json"],
    [400, "a repeated key", '{"reportType":"PROXY","reportType":"PROXY_DOMAIN"}', "application/json"],
    [400, "a key __proto__", '{"reportType":"PROXY","__proto__":{}}', "application/json"],
    [400, "invalid UTF-8", Buffer.from('{"reportType":"PROXY","title":"\xff"}', "latin1"), "application/json"],
    [422, "excessive nesting", "[".repeat(90_000), "application/json"],
    [413, "more than 256 KiB", `{"title":"${"x".repeat(256 * 1024)}"}`, "application/json"],
    [415, "plain text", '{"reportType":"PROXY"}', "text/plain"],
    [415, "a form", "reportType=PROXY", "application/x-www-form-urlencoded"],
    [415, "another charset", '{"reportType":"PROXY"}', "application/json; charset=utf-16"],
    [422, "a list", "[]", "application/json"],
    [422, "null", "null", "application/json"],
    [422, "no report type", "{}", "application/json"],
    [422, "an unknown report type", '{"reportType":"NONE"}', "application/json"],
    [422, "a report type that is not a text", '{"reportType":["PROXY"]}', "application/json"],
    [422, "an unknown option", '{"reportType":"PROXY","fromat":"csv"}', "application/json"],
    [422, "a NUL in the title", '{"reportType":"PROXY","title":"a\\u0000b"}', "application/json"],
    [422, "a NUL in a filter", '{"reportType":"PROXY","searchParam":{"q":"\\u0000"}}', "application/json"],
  ])("POST /v1/reports answers %s to %s and creates no report", async (status, _, body, type) => {
    const before = await api.countRows();
    const response = await post(body, type);
    expect(response.status).toBe(status);
    expect(response.body.status).toBe(status);
    expect(await api.countRows()).toEqual(before);
  });

  test("POST /v1/reports answers 415 with Accept-Post to a compressed body", async () => {
    const response = await post(gzipSync('{"reportType":"PROXY"}')).set("Content-Encoding", "gzip");
    expect(response.status).toBe(415);
    expect(response.headers["accept-post"]).toBe("application/json");
  });

  test("the 422 of an invalid start points to each invalid field", async () => {
    const response = await post(
      '{"reportType":"PROXY","format":"doc","searchParam":{"health":["SICK"],"hp":1},"a/b":1}',
    );
    expect(response.status).toBe(422);
    expect(response.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "/a~1b",
      "/format",
      "/searchParam/health/0",
      "/searchParam/hp",
    ]);
  });

  test("a start gets 401 before its body is read, and 403 before it is validated", async () => {
    expect((await api.anonymous().post("/v1/reports").set("Content-Type", "text/plain").send("x")).status).toBe(401);
    const other = await api.as(["REPORT_PROXY"]);
    expect((await other.post("/v1/reports").send({ reportType: "PROXY_DOMAIN", format: "doc" })).status).toBe(403);
  });

  test("POST /v1/reports answers 400 to a query, and 406 if JSON is not acceptable", async () => {
    expect((await agent.post("/v1/reports?x=1").send({ reportType: "PROXY" })).status).toBe(400);
    expect((await agent.post("/v1/reports").set("Accept", "text/html").send({ reportType: "PROXY" })).status).toBe(406);
  });

  test("POST /v1/reports answers 503 while the database is unavailable", async () => {
    const other = await startApiUnderTest();
    await other.database.close();
    const authorization = `Bearer ${await createTestToken(builtInReportAuthorities)}`;
    const response = await other
      .anonymous()
      .post("/v1/reports")
      .set("Authorization", authorization)
      .send({ reportType: "PROXY" });
    expect(response.status).toBe(503);
    await other[Symbol.asyncDispose]();
  });
});

test("OPTIONS and a 405 of /v1/reports list its methods in Allow", async () => {
  expect((await api.anonymous().options("/v1/reports")).headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
  expect((await agent.put("/v1/reports").send({})).headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
});
