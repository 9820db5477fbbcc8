import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportAuthorities, startApiUnderTest, tokenOf } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;

beforeAll(async () => {
  api = await startApiUnderTest();
  agent = await api.as(reportAuthorities);
});
afterAll(async () => api[Symbol.asyncDispose]());

const post = (body: string | Buffer, type = "application/json") =>
  agent
    .post("/v1/reports")
    .set("Content-Type", type)
    .serialize((bytes: string) => bytes)
    .send(body);

test("POST /v1/reports answers 202 as the literal start does, and creates a report every time", async () => {
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

describe("POST /v1/reports creates nothing and answers", () => {
  test.each<[number, string, string | Buffer, string]>([
    [400, "to nothing", "", "application/json"],
    [400, "to half an object", '{"reportType":', "application/json"],
    [400, "to a key twice", '{"reportType":"PROXY","reportType":"PROXY_DOMAIN"}', "application/json"],
    [400, "to __proto__", '{"reportType":"PROXY","__proto__":{}}', "application/json"],
    [
      400,
      "to bytes that are no UTF-8",
      Buffer.from('{"reportType":"PROXY","title":"\xff"}', "latin1"),
      "application/json",
    ],
    [422, "to nesting without end", "[".repeat(90_000), "application/json"],
    [413, "to more than 256 KiB", `{"title":"${"x".repeat(256 * 1024)}"}`, "application/json"],
    [415, "to text", '{"reportType":"PROXY"}', "text/plain"],
    [415, "to a form", "reportType=PROXY", "application/x-www-form-urlencoded"],
    [415, "to another charset", '{"reportType":"PROXY"}', "application/json; charset=utf-16"],
    [422, "to a list", "[]", "application/json"],
    [422, "to null", "null", "application/json"],
    [422, "to a missing type", "{}", "application/json"],
    [422, "to an unknown type", '{"reportType":"NONE"}', "application/json"],
    [422, "to a type that is no text", '{"reportType":["PROXY"]}', "application/json"],
    [422, "to an unknown option", '{"reportType":"PROXY","fromat":"csv"}', "application/json"],
    [422, "to a NUL in the title", '{"reportType":"PROXY","title":"a\\u0000b"}', "application/json"],
    [422, "to a filter with a NUL", '{"reportType":"PROXY","searchParam":{"q":"\\u0000"}}', "application/json"],
  ])("%s %s", async (status, _, body, type) => {
    const before = await api.countRows();
    const response = await post(body, type);
    expect(response.status).toBe(status);
    expect(response.body.status).toBe(status);
    expect(await api.countRows()).toEqual(before);
  });

  test("415 to a compressed body, with what it takes", async () => {
    const response = await post(gzipSync('{"reportType":"PROXY"}')).set("Content-Encoding", "gzip");
    expect(response.status).toBe(415);
    expect(response.headers["accept-post"]).toBe("application/json");
  });

  test("422 with a pointer to every problem at once", async () => {
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

  test("401 before the body is read, 403 before the rest of it is checked", async () => {
    expect((await api.anonymous().post("/v1/reports").set("Content-Type", "text/plain").send("x")).status).toBe(401);
    const other = await api.as(["REPORT_PROXY"]);
    expect((await other.post("/v1/reports").send({ reportType: "PROXY_DOMAIN", format: "doc" })).status).toBe(403);
  });

  test("400 to a parameter and 406 to a caller that wants no JSON", async () => {
    expect((await agent.post("/v1/reports?x=1").send({ reportType: "PROXY" })).status).toBe(400);
    expect((await agent.post("/v1/reports").set("Accept", "text/html").send({ reportType: "PROXY" })).status).toBe(406);
  });

  test("503 when the database is away", async () => {
    const other = await startApiUnderTest();
    await other.database.close();
    const authorization = `Bearer ${await tokenOf(reportAuthorities)}`;
    const response = await other
      .anonymous()
      .post("/v1/reports")
      .set("Authorization", authorization)
      .send({ reportType: "PROXY" });
    expect(response.status).toBe(503);
    await other[Symbol.asyncDispose]();
  });
});

test("OPTIONS of /v1/reports says that it can be posted to, and other methods are answered 405", async () => {
  expect((await api.anonymous().options("/v1/reports")).headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
  expect((await agent.put("/v1/reports").send({})).headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
});
