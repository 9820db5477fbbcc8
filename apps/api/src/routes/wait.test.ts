import { otherOwnerPrincipals, unrestrictedClaimTerms, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";
import { startListenerUnderTest } from "../test/event-stream-reader.ts";
import { parseWaitPreference } from "./wait-preference.ts";

let api: ApiUnderTest;
/** Time of the API's clock, which stands still, so that `Retry-After` is that of a new report even on a busy machine. */
const startedAt = new Date();

beforeAll(async () => {
  api = await startApiUnderTest({ now: () => startedAt });
});
afterAll(async () => api[Symbol.asyncDispose]());

async function startReport(): Promise<{ id: string; etag: string }> {
  const agent = await api.as(builtInReportAuthorities);
  const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const { id } = body as { id: string };
  const { headers } = await agent.get(`/v1/reports/${id}`);
  return { id, etag: headers["etag"]! };
}

/** Sends a GET with `Prefer: wait`, and resolves as soon as the API waits for the report. `answer` is the promise of the response. */
async function sendAndWait(id: string, headers: Record<string, string>, at: ApiUnderTest = api) {
  const agent = await at.as(builtInReportAuthorities);
  // supertest sends a request only when `then` is called, as Promise.resolve does.
  const answer = Promise.resolve(agent.get(`/v1/reports/${id}`).set(headers));
  await waitFor(async () => (await openWatches(at)) === "1", { what: "the API to wait" });
  return { answer };
}

async function openWatches(at: ApiUnderTest = api) {
  return /^report_watches (\d+)$/m.exec((await at.metrics.render()).body)?.[1];
}

describe("GET /v1/reports/{id} with Prefer: wait", () => {
  test("a GET with Prefer: wait answers 200 when the report is finished", async () => {
    const { id } = await startReport();
    const { answer } = await sendAndWait(id, { Prefer: "respond-async, wait=30" });
    await api.succeed(id, "a");
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "SUCCEEDED" });
    expect(response.headers["preference-applied"]).toBe("wait=30");
    expect(await openWatches()).toBe("0");
  });

  test("a waiting GET with If-None-Match answers 200 when the report changes", async () => {
    const { id, etag } = await startReport();
    const { answer } = await sendAndWait(id, { Prefer: "wait=30", "If-None-Match": etag });
    await api.reports.claim(id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "RUNNING" });
    expect(response.headers["etag"]).not.toBe(etag);
  });

  test("a waiting GET answers 200 with the unfinished report when the time is over", async () => {
    const { id } = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent.get(`/v1/reports/${id}`).set("Prefer", "wait=0");
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "QUEUED" });
    expect(response.headers["preference-applied"]).toBe("wait=0");
  });

  test("a waiting GET answers 401 if the caller's account is disabled meanwhile", async () => {
    const { id } = await startReport();
    await api.addUser("leaver", "correct horse", [...builtInReportAuthorities]);
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

  test("a waiting GET answers 410 if the report is deleted meanwhile", async () => {
    const { id } = await startReport();
    const { answer } = await sendAndWait(id, { Prefer: "wait=30" });
    await (await api.as(builtInReportAuthorities)).delete(`/v1/reports/${id}`).expect(204);
    expect((await answer).status).toBe(410);
  });

  test("a GET with Prefer: wait answers 404, 400 and 412 without a wait", async () => {
    const { id } = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    const ask = async (path: string, headers: Record<string, string>) =>
      (await agent.get(path).set({ Prefer: "wait=30", ...headers })).status;
    expect(await ask("/v1/reports/0192f0c1-0000-7000-8000-000000000000", {})).toBe(404);
    expect(await ask(`/v1/reports/${id}`, { "If-None-Match": "r1" })).toBe(400);
    expect(await ask(`/v1/reports/${id}`, { "If-Match": '"r999"' })).toBe(412);
  });

  test("a GET with Prefer: wait answers 404 without a wait if the authority is missing", async () => {
    const { id } = await startReport();
    const stranger = await api.as(["REPORT_PROXY_DOMAIN"]);
    expect((await stranger.get(`/v1/reports/${id}`).set("Prefer", "wait=30")).status).toBe(404);
  });

  test("a caller that disconnects during a wait frees its watch", async () => {
    const { id } = await startReport();
    await using served = await startListenerUnderTest(api.listener);
    const leaving = new AbortController();
    const answer = fetch(`http://127.0.0.1:${served.port}/v1/reports/${id}`, {
      headers: { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}`, Prefer: "wait=30" },
      signal: leaving.signal,
    });
    await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
    leaving.abort();
    await expect(answer).rejects.toThrow();
    await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be closed" });
  });

  test("above the limit of waits, a GET with Prefer: wait answers without a wait", async () => {
    await using small = await startApiUnderTest({ watching: { maxWatches: 1 }, databaseUrl: api.databaseUrl });
    const { id } = await startReport();
    using _ = small.watches.open(id, "somebody else");
    const agent = await small.as(builtInReportAuthorities);
    const response = await agent.get(`/v1/reports/${id}`).set("Prefer", "wait=30");
    expect(response.status).toBe(200);
    expect(response.headers).not.toHaveProperty("preference-applied");
  });

  test("when the API stops, a waiting GET answers with the current report", async () => {
    await using stopping = await startApiUnderTest({ databaseUrl: api.databaseUrl });
    const { answer } = await sendAndWait((await startReport()).id, { Prefer: "wait=30" }, stopping);
    stopping.watches.close();
    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "QUEUED" });
  });
});

let starts = 0;
function newStart() {
  starts += 1;
  return { reportType: "PROXY", format: "csv", title: `Awaited ${starts}` };
}

const startForms = [
  ["GET /v1/report", (agent: Agent, start: Start) => agent.get("/v1/report").query(start)],
  ["POST /v1/reports", (agent: Agent, start: Start) => agent.post("/v1/reports").send(start)],
] as const;
type Agent = Awaited<ReturnType<ApiUnderTest["as"]>>;
type Start = ReturnType<typeof newStart>;

describe.each(startForms)("%s with Prefer: wait", (form, send) => {
  async function startAndWait(headers: Record<string, string> = {}, principal = "alice") {
    const start = newStart();
    const agent = await api.as(builtInReportAuthorities, principal);
    const answer = Promise.resolve(send(agent, start).set({ Prefer: "wait=30", ...headers }));
    await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
    const [row] = await api.sql<{ id: string }[]>`select id from reports where title = ${start.title}`;
    return { agent, start, answer, id: row!.id };
  }

  test("a waiting start answers 202 with the finished report, without Retry-After", async () => {
    const { answer, id } = await startAndWait();
    await api.succeed(id, "a");
    const response = await answer;
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({ id, status: "SUCCEEDED", reused: false });
    expect(response.headers).toMatchObject({ "preference-applied": "wait=30", location: `/v1/reports/${id}` });
    expect(response.headers).not.toHaveProperty("retry-after");
  });

  test("a waiting start answers 202 with a report that failed during the wait", async () => {
    const { answer, id } = await startAndWait();
    await api.fail(id);
    expect(await answer).toMatchObject({ status: 202, body: { status: "FAILED", error: { code: "INVALID_DATA" } } });
  });

  test("a waiting start answers 202 with the queued report if it is deleted meanwhile", async () => {
    const { agent, answer, id } = await startAndWait();
    await agent.delete(`/v1/reports/${id}`).expect(204);
    expect(await answer).toMatchObject({ status: 202, body: { id, status: "QUEUED" } });
  });

  test("a repeated start with Prefer: wait waits until the report ends", async () => {
    const key = { "Idempotency-Key": `${form.split(" ")[0]}-awaited` };
    const { agent, start, answer, id } = await startAndWait(key);
    // The API does not compare the header Prefer. So this start without Prefer is a repeat of the one with it.
    const plain = await send(agent, start).set(key);
    expect(plain).toMatchObject({ status: 202, body: { id, status: "QUEUED" } });
    const repeat = Promise.resolve(send(agent, start).set({ ...key, Prefer: "wait=20" }));
    await waitFor(async () => (await openWatches()) === "2", { what: "the repeat to wait" });
    await api.succeed(id, "a");
    expect(await answer).toMatchObject({ status: 202, body: { id, status: "SUCCEEDED" } });
    const repeated = await repeat;
    expect(repeated).toMatchObject({ status: 202, body: { id, status: "SUCCEEDED", reused: false } });
    expect(repeated.headers).toMatchObject({ "idempotency-replayed": "true", "preference-applied": "wait=20" });
    expect((await send(agent, start).set(key)).text).toBe(plain.text);
  });

  test("above 20 waits per principal, a start with Prefer: wait answers without a wait", async () => {
    const waits = Array.from({ length: 20 }, () =>
      api.watches.open("0192f0c1-0000-7000-8000-000000000000", "https://issuer.example|greedy"),
    );
    try {
      const agent = await api.as(builtInReportAuthorities, "greedy");
      const response = await send(agent, newStart()).set("Prefer", "wait=30");
      expect(response).toMatchObject({ status: 202, body: { status: "QUEUED" } });
      expect(response.headers).not.toHaveProperty("preference-applied");
    } finally {
      for (const wait of waits) wait[Symbol.dispose]();
    }
  });

  test("a waiting start answers 202 with the queued report if the database fails", async () => {
    await using served = await startApiUnderTest();
    const agent = await served.as(builtInReportAuthorities);
    const answer = Promise.resolve(send(agent, newStart()).set("Prefer", "wait=30"));
    await waitFor(async () => (await openWatches(served)) === "1", { what: "the API to wait" });
    const [row] = await served.sql<
      { id: string }[]
    >`select id from reports where requested_by <> all (${[...otherOwnerPrincipals]})`;
    await served.database.close();
    await served.sql`update reports set revision = revision + 1 where id = ${row!.id}`;
    const response = await answer;
    expect(response).toMatchObject({ status: 202, body: { id: row!.id, status: "QUEUED" } });
  });
});

test("a coalesced legacy start waits for the earlier report", async () => {
  const agent = await api.as(builtInReportAuthorities);
  const start = newStart();
  const { body } = await agent.get("/v1/report").query(start).expect(202);
  const answer = Promise.resolve(agent.get("/v1/report").query(start).set("Prefer", "wait=30"));
  await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
  await api.succeed(body.id, "a");
  expect(await answer).toMatchObject({ status: 202, body: { id: body.id, status: "SUCCEEDED", reused: true } });
});

test("a report still runs if the caller that waits for it disconnects", async () => {
  await using served = await startListenerUnderTest(api.listener);
  const leaving = new AbortController();
  const start = newStart();
  const answer = fetch(`http://127.0.0.1:${served.port}/v1/reports`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}`,
      Prefer: "wait=30",
      "Content-Type": "application/json",
    },
    body: JSON.stringify(start),
    signal: leaving.signal,
  });
  await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be closed" });
  const [row] = await api.sql<
    { id: string; status: string }[]
  >`select id, status from reports where title = ${start.title}`;
  expect(row).toMatchObject({ status: "QUEUED" });
  expect(await api.succeed(row!.id, "a")).toMatchObject({ status: "SUCCEEDED" });
});

test("more requests can wait than there are database connections", async () => {
  const agents = await Promise.all(["one", "two"].map(async (name) => api.as(builtInReportAuthorities, name)));
  const asked = Array.from({ length: 24 }, (_, index) =>
    Promise.resolve(agents[index % 2]!.get("/v1/report").query(newStart()).set("Prefer", "wait=30")),
  );
  await waitFor(async () => (await openWatches()) === "24", { what: "all of them to wait" });
  await agents[0]!.get("/v1/reports").expect(200);
  const rows = await api.sql<{ id: string }[]>`
    select id from reports where status = 'QUEUED' and requested_by like '%one' or status = 'QUEUED' and requested_by like '%two'`;
  for (const { id } of rows) await api.fail(id);
  for (const answer of asked) expect(await answer).toMatchObject({ status: 202, body: { status: "FAILED" } });
});

describe("GET /v1/report/download with Prefer: wait", () => {
  const download = (agent: Agent, id: string, reportType = "PROXY") =>
    agent.get("/v1/report/download").query({ reportType, id }).set("Prefer", "wait=30");
  async function downloadAndWait() {
    const { id } = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    const answer = Promise.resolve(download(agent, id).buffer(true));
    await waitFor(async () => (await openWatches()) === "1", { what: "the API to wait" });
    return { id, agent, answer };
  }

  test("a waiting legacy download sends the file when the report has succeeded", async () => {
    const { id, answer } = await downloadAndWait();
    await api.succeed(id, "name\r\n");
    const response = await answer;
    expect(response).toMatchObject({ status: 200, text: "name\r\n" });
    expect(response.headers["preference-applied"]).toBe("wait=30");
  });

  test("a waiting legacy download answers 404 if the report fails, 410 if it is deleted", async () => {
    const failing = await downloadAndWait();
    await api.fail(failing.id);
    expect(await failing.answer).toMatchObject({ status: 404, body: { code: "report-failed" } });
    const deleted = await downloadAndWait();
    await deleted.agent.delete(`/v1/reports/${deleted.id}`).expect(204);
    expect(await deleted.answer).toMatchObject({ status: 410, body: { code: "report-deleted" } });
  });

  test("a legacy download with Prefer: wait answers 404 and 403 without a wait", async () => {
    const { id } = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    expect((await download(agent, id, "PROXY_DOMAIN")).status).toBe(404);
    expect((await download(await api.as(["REPORT_PROXY_DOMAIN"]), id)).status).toBe(403);
  });
});

test("when the time is over, waiting GETs, starts and legacy downloads send the unfinished report", async () => {
  const { id, etag } = await startReport();
  const agent = await api.as(builtInReportAuthorities);
  const [unchanged, download, ...starts] = await Promise.all([
    agent.get(`/v1/reports/${id}`).set({ Prefer: "wait=1", "If-None-Match": etag }),
    agent.get("/v1/report/download").query({ reportType: "PROXY", id }).set("Prefer", "wait=1"),
    ...startForms.map(([, send]) => send(agent, newStart()).set("Prefer", "wait=1")),
  ]);
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers).toMatchObject({ "preference-applied": "wait=1", etag, "retry-after": "1" });
  expect(download).toMatchObject({ status: 202, body: { id, status: "QUEUED" } });
  expect(download.headers["preference-applied"]).toBe("wait=1");
  expect(starts).toHaveLength(2);
  for (const response of starts) {
    expect(response).toMatchObject({ status: 202, body: { status: "QUEUED" } });
    expect(response.headers).toMatchObject({ "preference-applied": "wait=1", "retry-after": "1" });
  }
});

test("a HEAD request of a report or start never waits, even with Prefer: wait", async () => {
  const { id } = await startReport();
  const agent = await api.as(builtInReportAuthorities);
  const paths = [`/v1/reports/${id}`, `/v1/report/download?reportType=PROXY&id=${id}`, "/v1/report?reportType=PROXY"];
  for (const path of paths) {
    const response = await agent.head(path).set("Prefer", "wait=30");
    expect([200, 202]).toContain(response.status);
    expect(response.headers).not.toHaveProperty("preference-applied");
  }
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
  [", ,wait=10,", 10],
  [`${",".repeat(100)}wait=10`, 10],
  [",", null],
  ["wait=31", 30],
  ["wait=999999999", 30],
  ["wait=9999999999", null],
  ["await=10", null],
])("the header `Prefer: %s` means a wait of %s seconds", (header, seconds) => {
  expect(parseWaitPreference(header)).toBe(seconds);
});
