import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, createTestToken, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest();
  await api.addUser("alice", "right", ["REPORT_PROXY"]);
});
afterAll(async () => api[Symbol.asyncDispose]());

test("a password is exchanged for a token of the same principal and authorities", async () => {
  const issued = await api.anonymous().post("/v1/tokens").auth("alice", "right");
  expect(issued.status).toBe(201);
  expect(issued.headers["cache-control"]).toBe("no-store");
  expect(issued.body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 900 });
  const authorization = `Bearer ${issued.body.access_token}`;
  const started = await api
    .anonymous()
    .post("/v1/reports")
    .set("Authorization", authorization)
    .send({ reportType: "PROXY" });
  expect(started.status).toBe(202);
  expect(started.body.requestedBy).toBe("basic:alice");
  const other = await api
    .anonymous()
    .post("/v1/reports")
    .set("Authorization", authorization)
    .send({ reportType: "PROXY_DOMAIN" });
  expect(other.status).toBe(403);
});

test("POST /v1/tokens answers 401 to a bearer token, because it needs a password", async () => {
  const issued = await api.anonymous().post("/v1/tokens").auth("alice", "right");
  for (const token of [issued.body.access_token as string, await createTestToken(["REPORT_PROXY"])]) {
    const answer = await api.anonymous().post("/v1/tokens").set("Authorization", `Bearer ${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toContain("Basic");
  }
});

test("POST /v1/tokens answers 401 to wrong and to missing credentials", async () => {
  expect((await api.anonymous().post("/v1/tokens").auth("alice", "wrong")).status).toBe(401);
  expect((await api.anonymous().post("/v1/tokens")).body.code).toBe("credentials-missing");
});

test("POST /v1/tokens answers 400 to a query parameter, and 406 if JSON is refused", async () => {
  expect((await api.anonymous().post("/v1/tokens?scope=all").auth("alice", "right")).status).toBe(400);
  expect((await api.anonymous().post("/v1/tokens").auth("alice", "right").set("Accept", "text/html")).status).toBe(406);
});

test.each([
  ["a page of another site", { "Sec-Fetch-Site": "cross-site" }],
  ["a page of another host of the site", { "Sec-Fetch-Site": "same-site" }],
  ["an older browser's page of another origin", { Origin: "https://evil.example" }],
  ["a sandboxed page", { Origin: "null", "Content-Type": "text/plain" }],
  ["a form of another site", { Origin: "http://evil.example", "Content-Type": "application/x-www-form-urlencoded" }],
])("POST /v1/tokens answers 403 to %s", async (_, headers) => {
  const refused = await api.anonymous().post("/v1/tokens").auth("alice", "right").set(headers);
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({ code: "cross-site-refused" });
});

test.each([
  ["the same origin", { "Sec-Fetch-Site": "same-origin", Origin: "https://reports.example" }],
  ["an older browser at the same host", { Host: "reports.example", Origin: "https://reports.example" }],
  ["an older browser behind a proxy", { "X-Forwarded-Host": "reports.example", Origin: "https://reports.example" }],
  ["a URL that a user typed", { "Sec-Fetch-Site": "none" }],
])("POST /v1/tokens issues a token to %s", async (_, headers) => {
  expect((await api.anonymous().post("/v1/tokens").auth("alice", "right").set(headers)).status).toBe(201);
});

test.each([
  ["another media type", 415, "application/x-www-form-urlencoded", "grant_type=client_credentials"],
  ["another media type of any size", 415, "application/octet-stream", "x".repeat(1_000_000)],
  ["JSON above the limit", 413, "application/json", JSON.stringify({ a: "x".repeat(300_000) })],
  ["invalid JSON", 400, "application/json", "{"],
  ["an unknown field", 422, "application/json", '{"scope":"all"}'],
  ["an array", 422, "application/json", "[]"],
])("the response to POST /v1/tokens with %s has the status %s", async (_, status, type, body) => {
  const post = api.anonymous().post("/v1/tokens").auth("alice", "right").set("Content-Type", type);
  expect((await post.send(body)).status).toBe(status);
});

test("the token endpoint accepts an empty object as the body", async () => {
  expect((await api.anonymous().post("/v1/tokens").auth("alice", "right").send({})).status).toBe(201);
});

test("POST /v1/tokens answers 503 while the database is unavailable", async () => {
  await using cutOff = await startApiUnderTest();
  await cutOff.database.close();
  expect((await cutOff.anonymous().post("/v1/tokens").auth("alice", "right")).status).toBe(503);
});
