import { newId } from "@reports/runtime";
import { unrestrictedClaimTerms } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let agent: Awaited<ReturnType<ApiUnderTest["as"]>>;
const ids: string[] = [];

beforeAll(async () => {
  // The database contains no other reports, because the tests list all reports without a filter.
  api = await startApiUnderTest({ otherOwners: false });
  agent = await api.as(builtInReportAuthorities);
  for (const [title, reportType] of [
    ["one", "PROXY"],
    ["two", "PROXY_DOMAIN"],
    ["three", "PROXY"],
  ]) {
    const { body } = await agent.get("/v1/report").query({ reportType, title }).expect(202);
    ids.push(body.id as string);
  }
  // The reports are made a day older, so that their Retry-After does not grow during the tests.
  await api.sql`update reports set created_at = created_at - interval '1 day'`;
});
afterAll(async () => api[Symbol.asyncDispose]());

const idsOf = (body: readonly { id: string }[]) => body.map(({ id }) => id);

describe("GET /v1/reports", () => {
  test("the list of reports is an array with the newest first", async () => {
    const response = await agent.get("/v1/reports");
    expect(response.status).toBe(200);
    expect(idsOf(response.body)).toEqual(ids.toReversed());
    expect(response.headers["x-total-count"]).toBeUndefined();
  });

  test("the list of reports with count=exact returns the total, for any limit", async () => {
    const response = await agent.get("/v1/reports?limit=1&count=exact");
    expect(idsOf(response.body)).toEqual([ids[2]]);
    expect(response.headers["x-total-count"]).toBe("3");
  });

  test("the list of reports omits types whose authority the caller lacks", async () => {
    const proxies = await (await api.as(["REPORT_PROXY"])).get("/v1/reports?count=exact");
    expect(idsOf(proxies.body)).toEqual([ids[2], ids[0]]);
    expect(proxies.headers["x-total-count"]).toBe("2");
    const none = await (await api.as(["REGISTRY_READ"])).get("/v1/reports?count=exact");
    expect(none.body).toEqual([]);
    expect(none.headers["x-total-count"]).toBe("0");
  });

  test("HEAD of the list of reports has the headers of GET", async () => {
    const get = await agent.get("/v1/reports?count=exact");
    // superagent sends no Accept-Encoding with HEAD unless the test sets it.
    const head = await agent.head("/v1/reports?count=exact").set("Accept-Encoding", "gzip, deflate");
    expect(head.status).toBe(200);
    for (const name of ["content-length", "content-encoding", "content-type", "x-total-count", "cache-control"]) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["limit=ten", "limit"],
    ["limit=", "limit"],
    ["limit=1&limit=2", "limit"],
    ["count=all", "count"],
    ["limt=1", "limt"],
    ["x=%ff", "x"],
  ])("the list of reports answers 400 to %s and names the parameter %s", async (query, parameter) => {
    const response = await agent.get(`/v1/reports?${query}`);
    expect(response.status).toBe(400);
    expect(response.body.errors[0]).toMatchObject({ parameter });
  });

  test("the list of reports answers 401 without credentials, and 406 if JSON is refused", async () => {
    expect((await api.anonymous().get("/v1/reports")).status).toBe(401);
    expect((await agent.get("/v1/reports").set("Accept", "text/csv")).status).toBe(406);
  });
});

describe("GET /v1/reports/{id}", () => {
  test("a GET of a report answers 200 in any state, and Retry-After while unfinished", async () => {
    const id = ids[0]!;
    const queued = await agent.get(`/v1/reports/${id}`);
    expect(queued.status).toBe(200);
    expect(queued.body).toMatchObject({ id, status: "QUEUED", links: { self: `/v1/reports/${id}`, file: null } });
    expect(queued.headers["retry-after"]).toBe("30");
    await api.succeed(id, "name\r\n");
    const finished = await agent.get(`/v1/reports/${id}`);
    expect(finished.status).toBe(200);
    expect(finished.body).toMatchObject({
      status: "SUCCEEDED",
      rowCount: 1,
      progress: { percent: 100 },
      file: { fileName: "Proxies.csv", size: 6 },
    });
    expect(finished.body.links.file).toBe(`/v1/reports/${id}/files/${finished.body.file.id}`);
    expect(finished.text).not.toContain("storageKey");
    expect(finished.headers["retry-after"]).toBeUndefined();
    expect(finished.headers["etag"]).not.toBe(queued.headers["etag"]);
  });

  test("a GET of a failed report returns its error", async () => {
    await api.fail(ids[1]!);
    const { body } = await agent.get(`/v1/reports/${ids[1]}`);
    expect(body).toMatchObject({
      status: "FAILED",
      error: { code: "INVALID_DATA", detail: "A row cannot be shown.", retryable: false },
    });
  });

  test("a GET of a report answers 304 if it is unchanged, and 412 to an old If-Match", async () => {
    const { headers } = await agent.get(`/v1/reports/${ids[2]}`);
    const same = await agent.get(`/v1/reports/${ids[2]}`).set("If-None-Match", headers["etag"]!);
    expect(same.status).toBe(304);
    expect(same.headers).toMatchObject({ etag: headers["etag"], "retry-after": "30" });
    expect(same.text).toBe("");
    expect((await agent.get(`/v1/reports/${ids[2]}`).set("If-Match", '"x"')).status).toBe(412);
    await api.reports.claim(ids[2]!, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
    expect((await agent.get(`/v1/reports/${ids[2]}`).set("If-None-Match", headers["etag"]!)).status).toBe(200);
  });

  test("missing, hidden and deleted reports and invalid IDs get the same 404", async () => {
    const deleted = (await agent.get("/v1/report?reportType=PROXY_DOMAIN&title=gone").expect(202)).body.id as string;
    await api.sql`update reports set deleted_at = now() where id = ${deleted}`;
    const proxiesOnly = await api.as(["REPORT_PROXY"]);
    const answers = [];
    for (const id of [newId(), ids[1]!, deleted, "abc", ids[0]!.toUpperCase()]) {
      const response = await proxiesOnly.get(`/v1/reports/${id}`).set("X-Request-Id", "the-same-id");
      answers.push({ status: response.status, text: response.text.replaceAll(id, "ID") });
    }
    expect(answers[0]).toMatchObject({ status: 404 });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect((await agent.get(`/v1/reports/${deleted}`)).status).toBe(410);
  });

  test("a GET of a report answers 400, 401 or 406 to an invalid request", async () => {
    expect((await agent.get(`/v1/reports/${ids[0]}?x=1`)).body.detail).toContain("takes no parameters");
    expect((await agent.get(`/v1/reports/${ids[0]}`).set("If-None-Match", "abc")).status).toBe(400);
    expect((await api.anonymous().get(`/v1/reports/${ids[0]}`)).status).toBe(401);
    expect((await agent.get(`/v1/reports/${ids[0]}`).set("Accept", "text/html, application/json;q=0")).status).toBe(
      406,
    );
  });

  test("links in a report contain the base path", async () => {
    await using other = await startApiUnderTest({ basePath: "/gateway" });
    const response = await (await other.as(builtInReportAuthorities)).get("/v1/report?reportType=PROXY").expect(202);
    expect(response.headers["location"]).toBe(`/gateway/v1/reports/${response.body.id}`);
    expect(response.body.links.self).toBe(`/gateway/v1/reports/${response.body.id}`);
  });
});

test("reads, lists and downloads answer 503 while the database is unavailable", async () => {
  const other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  await other.database.close();
  await other.listDatabase.close();
  const authorization = `Bearer ${await createTestToken(builtInReportAuthorities)}`;
  for (const path of [
    "/v1/reports",
    `/v1/reports/${newId()}`,
    `/v1/report/download?reportType=PROXY&id=${newId()}`,
    `/v1/reports/${newId()}/files/${newId()}`,
  ]) {
    const response = await other.anonymous().get(path).set("Authorization", authorization);
    expect(response.status).toBe(503);
    expect(response.headers["content-type"]).toBe("application/problem+json");
  }
  await other[Symbol.asyncDispose]();
});
