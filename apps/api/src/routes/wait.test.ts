import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bothAuthorities, startApiUnderTest, tokenOf } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";
import { serve } from "../test/event-stream-reader.ts";
import { parseWaitPreference } from "./wait-preference.ts";

let api: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

async function startReport(): Promise<{ id: string; etag: string }> {
  const agent = await api.as(bothAuthorities);
  const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const { id } = body as { id: string };
  const { headers } = await agent.get(`/v1/reports/${id}`);
  return { id, etag: headers["etag"]! };
}

/** Asks, and resolves once the API waits; `answer` is what comes of it. */
async function askAndWait(id: string, headers: Record<string, string>, at: ApiUnderTest = api) {
  const agent = await at.as(bothAuthorities);
  // supertest sends when it is awaited.
  const answer = Promise.resolve(agent.get(`/v1/reports/${id}`).set(headers));
  await waitFor(async () => (await openWatches(at)) === "1", { what: "the API to wait" });
  return { answer };
}

async function openWatches(at: ApiUnderTest = api) {
  return /^report_watches (\d+)$/m.exec((await at.metrics.render()).body)?.[1];
}

describe("GET /v1/reports/{id} with Prefer: wait", () => {
  test("answers 200 as soon as the report is finished", async () => {
    const { id } = await startReport();
    const { answer } = await askAndWait(id, { Prefer: "respond-async, wait=30" });
    await api.succeed(id, "a");
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "SUCCEEDED" });
    expect(response.headers["preference-applied"]).toBe("wait=30");
    expect(await openWatches()).toBe("0");
  });

  test("with If-None-Match answers 200 as soon as the record changes, whatever its state", async () => {
    const { id, etag } = await startReport();
    const { answer } = await askAndWait(id, { Prefer: "wait=30", "If-None-Match": etag });
    await api.reports.claim(id, { workerId: "test", leaseMs: 60_000 });
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "RUNNING" });
    expect(response.headers["etag"]).not.toBe(etag);
  });

  test("with If-None-Match answers 304 when the time is over without a change", async () => {
    const { id, etag } = await startReport();
    const agent = await api.as(bothAuthorities);
    const response = await agent.get(`/v1/reports/${id}`).set({ Prefer: "wait=1", "If-None-Match": etag });
    expect(response.status).toBe(304);
    expect(response.headers).toMatchObject({ "preference-applied": "wait=1", etag, "retry-after": "1" });
  });

  test("answers 200 with the open report when the time is over", async () => {
    const { id } = await startReport();
    const agent = await api.as(bothAuthorities);
    const response = await agent.get(`/v1/reports/${id}`).set("Prefer", "wait=0");
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "QUEUED" });
    expect(response.headers["preference-applied"]).toBe("wait=0");
  });

  test("answers 401 to who was disabled meanwhile, and nothing of what has happened", async () => {
    const { id } = await startReport();
    await api.addUser("leaver", "correct horse", [...bothAuthorities]);
    const answer = Promise.resolve(
      api.anonymous().get(`/v1/reports/${id}`).auth("leaver", "correct horse").set("Prefer", "wait=30"),
    );
    await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
    await api.sql`update users set disabled_at = now() where name = 'leaver'`;
    await api.succeed(id, "a");
    const { status, body } = await answer;
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: "credentials-invalid" });
  });

  test("answers 410 when the report is deleted meanwhile", async () => {
    const { id } = await startReport();
    const { answer } = await askAndWait(id, { Prefer: "wait=30" });
    await (await api.as(bothAuthorities)).delete(`/v1/reports/${id}`).expect(204);
    expect((await answer).status).toBe(410);
  });

  test("answers at once what waiting cannot change: 404, 400 and 412", async () => {
    const { id } = await startReport();
    const agent = await api.as(bothAuthorities);
    const ask = async (path: string, headers: Record<string, string>) =>
      (await agent.get(path).set({ Prefer: "wait=30", ...headers })).status;
    expect(await ask("/v1/reports/0192f0c1-0000-7000-8000-000000000000", {})).toBe(404);
    expect(await ask(`/v1/reports/${id}`, { "If-None-Match": "r1" })).toBe(400);
    expect(await ask(`/v1/reports/${id}`, { "If-Match": '"r999"' })).toBe(412);
  });

  test("does not wait without the type's authority: the identical 404", async () => {
    const { id } = await startReport();
    const stranger = await api.as(["REPORT_PROXY_DOMAIN"]);
    expect((await stranger.get(`/v1/reports/${id}`).set("Prefer", "wait=30")).status).toBe(404);
  });

  test("a caller that leaves frees its watch", async () => {
    const { id } = await startReport();
    await using place = await serve(api.listener);
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${place.port}/v1/reports/${id}`, {
      headers: { Authorization: `Bearer ${await tokenOf(bothAuthorities)}`, Prefer: "wait=30" },
      signal: leaving.signal,
    });
    await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be gone" });
  });

  test("while too many wait, answers at once and does not claim to have waited", async () => {
    await using small = await startApiUnderTest({ watching: { maxWatches: 1 }, databaseUrl: api.databaseUrl });
    const { id } = await startReport();
    using _ = small.watches.open(id, "somebody else");
    const agent = await small.as(bothAuthorities);
    const response = await agent.get(`/v1/reports/${id}`).set("Prefer", "wait=30");
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty("preference-applied");
  });

  test("when the process stops, whoever waits is answered with what is known", async () => {
    await using stopping = await startApiUnderTest({ databaseUrl: api.databaseUrl });
    const { answer } = await askAndWait((await startReport()).id, { Prefer: "wait=30" }, stopping);
    stopping.watches.close();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "QUEUED" });
  });
});

test.each([
  [undefined, null],
  ["", null],
  ["return=minimal", null],
  ["wait", null],
  ["wait=", null],
  ["wait=soon", null],
  ["wait=-1", null],
  ["wait=1.5", null],
  ["wait=10", 10],
  ["WAIT = 10", 10],
  ['wait="10"', 10],
  ["wait=10; foo=bar", 10],
  ["respond-async, wait=10", 10],
  ["wait=5, wait=10", 5],
  ["wait=31", 30],
  ["wait=999999999", 30],
  ["wait=9999999999", null],
  ["await=10", null],
])("Prefer: %s wants to wait %s seconds", (header, seconds) => {
  expect(parseWaitPreference(header)).toBe(seconds);
});
