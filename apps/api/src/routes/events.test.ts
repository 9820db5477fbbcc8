import { get } from "node:http";
import { unrestrictedClaimTerms, waitForBlockedSession, waitFor } from "@reports/testing";
import { newId } from "@reports/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";
import { openEventStream, startListenerUnderTest } from "../test/event-stream-reader.ts";

let api: ApiUnderTest;
let server: Awaited<ReturnType<typeof startListenerUnderTest>>;

beforeAll(async () => {
  api = await startApiUnderTest({ clocks: { streamHeartbeatMs: 50 } });
  server = await startListenerUnderTest(api.listener);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

async function startReport(): Promise<string> {
  const agent = await api.as(builtInReportAuthorities);
  const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  return (body as { id: string }).id;
}

async function follow(
  id: string,
  headers: Record<string, string> = {},
  authorities: readonly string[] = builtInReportAuthorities,
) {
  const authorization = { Authorization: `Bearer ${await createTestToken(authorities)}` };
  return openEventStream(server.port, `/v1/reports/${id}/events`, { ...authorization, ...headers });
}

const openWatches = async () => /^report_watches (\d+)$/m.exec((await api.metrics.render()).body)?.[1];

describe("GET /v1/reports/{id}/events as JSON", () => {
  test.each(["application/json", "*/*"])(
    "for Accept: %s, /events lists all events as JSON, beginning with the creation",
    async (accept) => {
      const id = await startReport();
      await api.succeed(id, "a");
      const agent = await api.as(builtInReportAuthorities);
      const response = await agent.get(`/v1/reports/${id}/events`).set("Accept", accept);
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
      expect(response.body).toMatchObject([
        { reportId: id, from: null, to: "QUEUED", attempt: 0, actor: "https://issuer.example|alice" },
        { reportId: id, from: "QUEUED", to: "RUNNING", attempt: 1, actor: "worker" },
        { reportId: id, from: "RUNNING", to: "SUCCEEDED", attempt: 1 },
      ]);
      const ids = (response.body as { id: number }[]).map((event) => event.id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    },
  );

  test("the actor of an event is a principal or `worker`, never the ID of a process", async () => {
    const id = await startReport();
    const admin = await api.as([...builtInReportAuthorities, "REPORTS_ADMIN"], "bob");
    await admin.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" }).expect(201);
    const { body } = await admin.get(`/v1/reports/${id}/events`);
    expect((body as { actor: string }[]).map(({ actor }) => actor)).toEqual([
      "https://issuer.example|alice",
      "https://issuer.example|bob",
    ]);
    await api.sql`update report_events set actor = 'worker:host:1:a' where report_id = ${id} and to_status = 'CANCELLED'`;
    await api.sql`update report_events set actor = null where report_id = ${id} and to_status = 'QUEUED'`;
    const again = await admin.get(`/v1/reports/${id}/events`);
    expect((again.body as { actor: string }[]).map(({ actor }) => actor)).toEqual([null, "worker"]);
  });

  test("the events of a report answer 400 to a query parameter", async () => {
    const agent = await api.as(builtInReportAuthorities);
    expect((await agent.get(`/v1/reports/${await startReport()}/events?since=1`)).status).toBe(400);
  });

  test("the events of a report answer 401 to a request without credentials", async () => {
    expect((await api.anonymous().get(`/v1/reports/${await startReport()}/events`)).status).toBe(401);
  });

  test("events of missing and hidden reports and of invalid IDs get the same 404", async () => {
    const id = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    const stranger = await api.as(["REPORT_PROXY_DOMAIN"]);
    const answers = [
      await stranger.get(`/v1/reports/${id}/events`),
      await agent.get("/v1/reports/0192f0c1-0000-7000-8000-000000000000/events"),
      await agent.get("/v1/reports/x/events"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ body }) => (body as { detail: string }).detail)).size).toBe(1);
  });

  test("the events of a report answer 406 if Accept allows neither JSON nor a stream", async () => {
    const agent = await api.as(builtInReportAuthorities);
    expect((await agent.get(`/v1/reports/${await startReport()}/events`).set("Accept", "text/html")).status).toBe(406);
  });

  test("the events of a deleted report get a 410", async () => {
    const id = await startReport();
    const agent = await api.as(builtInReportAuthorities);
    await agent.delete(`/v1/reports/${id}`).expect(204);
    expect((await agent.get(`/v1/reports/${id}/events`)).status).toBe(410);
  });
});

describe("GET /v1/reports/{id}/events as a stream", () => {
  test("an event stream sends changes, progress and heartbeats until the report ends", async () => {
    const id = await startReport();
    const stream = await follow(id);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
    await waitFor(() => stream.events().length === 1, { what: "the creation" });
    await waitFor(() => /^: /m.test(stream.text()), { what: "a comment" });

    const refusal = { because: "TYPE_UNKNOWN", message: "Not known here.", servedFromVersion: 1 } as const;
    await api.reports.claim(id, { workerId: "old", leaseMs: 60_000, refusalOf: () => refusal, delayOf: () => 10_000 });
    await waitFor(() => stream.events().some(({ data }) => data["because"] === refusal.because), { what: "the cause" });
    const claimed = await api.reports.claim(id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
    await waitFor(() => stream.events().some(({ data }) => data["to"] === "RUNNING"), { what: "the claim" });
    const progress = { phase: "rendering", rowsDone: 50, rowsTotal: 200, percent: 25 } as const;
    await api.reports.heartbeat(id, 1, { leaseMs: 60_000, progress });
    await waitFor(() => stream.events().some(({ data }) => data["percent"] === 25), { what: "the progress" });
    await api.reports.fail(id, 1, { code: "INVALID_DATA", detail: "No.", retryable: false, spendsFailure: false });
    await stream.ended;

    expect(claimed.kind).toBe("claimed");
    const transitions = stream.events().filter(({ event }) => event === "status");
    expect(transitions.map(({ data }) => [data["to"], data["because"]])).toEqual([
      ["QUEUED", null],
      ["QUEUED", "TYPE_UNKNOWN"],
      ["RUNNING", null],
      ["FAILED", null],
    ]);
    expect(stream.events().at(-1)).toMatchObject({ event: "status", data: { to: "FAILED" } });
    expect(stream.events().find(({ data }) => data["percent"] === 25)).toEqual({
      event: "progress",
      id: undefined,
      data: { reportId: id, attempt: 1, ...progress },
    });
    const agent = await api.as(builtInReportAuthorities);
    const { body } = await agent.get(`/v1/reports/${id}/events`);
    expect(transitions.map(({ data }) => data)).toEqual(body);
    expect(transitions.map((event) => event.id)).toEqual((body as { id: number }[]).map((event) => String(event.id)));
    await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be closed" });
  });

  test("an event stream with Last-Event-ID continues after that event", async () => {
    const id = await startReport();
    const first = await follow(id);
    await waitFor(() => first.events().length === 1, { what: "the creation" });
    first.leave();
    await api.succeed(id, "a");
    const second = await follow(id, { "Last-Event-ID": first.events()[0]!.id! });
    await second.ended;
    expect(second.events().map(({ data }) => data["to"])).toEqual(["RUNNING", "SUCCEEDED"]);
  });

  test("an event stream answers 204 if Last-Event-ID is the report's last event", async () => {
    const id = await startReport();
    await api.succeed(id, "a");
    const whole = await follow(id);
    await whole.ended;
    const lastId = whole.events().at(-1)!.id!;
    expect((await follow(id, { "Last-Event-ID": lastId })).response.statusCode).toBe(204);
    await api.expire(id);
    expect((await follow(id, { "Last-Event-ID": lastId })).response.statusCode).toBe(204);
  });

  test.each(["x", "-1", "1".repeat(16)])("the invalid Last-Event-ID %s gets a 400", async (lastEventId) => {
    const stream = await follow(await startReport(), { "Last-Event-ID": lastEventId });
    expect(stream.response.statusCode).toBe(400);
    await stream.ended;
    expect(JSON.parse(stream.text())).toMatchObject({ errors: [{ header: "Last-Event-ID" }] });
  });

  test("an event stream ends when its report is deleted", async () => {
    const id = await startReport();
    const stream = await follow(id);
    await waitFor(() => stream.events().length === 1, { what: "the creation" });
    await (await api.as(builtInReportAuthorities)).delete(`/v1/reports/${id}`).expect(204);
    await stream.ended;
    expect(stream.events().map(({ data }) => data["to"])).toEqual(["QUEUED", "CANCELLED", "DELETED"]);
  });

  test("a caller that disconnects from a stream frees its watch", async () => {
    const stream = await follow(await startReport());
    await waitFor(() => stream.events().length === 1, { what: "the creation" });
    expect(await openWatches()).toBe("1");
    stream.leave();
    await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be closed" });
  });

  test("a caller that disconnects before its stream begins leaves no watch open", async () => {
    const id = await startReport();
    const left = async () =>
      /"\/v1\/reports\/\{id\}\/events".*status="499"\} (\d+)/.exec((await api.metrics.render()).body)?.[1];
    const before = await left();
    const headers = {
      Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}`,
      Accept: "text/event-stream",
    };
    await api.sql.begin(async (tx) => {
      await tx`lock table reports in access exclusive mode`;
      const request = get({ port: server.port, path: `/v1/reports/${id}/events`, headers, agent: false });
      request.on("error", () => undefined);
      await waitForBlockedSession(tx);
      request.destroy();
      await waitFor(async () => (await left()) !== before, { what: "the caller to be missed" });
    });
    // The first event of this later stream arrives only after the abandoned request has ended. If that request had left its watch open, the count
    // would be 2.
    const stream = await follow(id);
    await waitFor(() => stream.events().length === 1, { what: "the creation" });
    expect(await openWatches()).toBe("1");
    stream.leave();
    await waitFor(async () => (await openWatches()) === "0", { what: "the watch to be closed" });
  });

  test("HEAD of /events returns the headers of the stream and opens no watch", async () => {
    const agent = await api.as(builtInReportAuthorities);
    const response = await agent.head(`/v1/reports/${await startReport()}/events`).set("Accept", "text/event-stream");
    expect(response.status).toBe(200);
    expect(response.headers["content-type"]).toBe("text/event-stream");
    expect(await openWatches()).toBe("0");
  });
});

test("an event stream ends when its caller is disabled or loses an authority", async () => {
  const changes = [
    ["password", "disabled_at = now()"],
    ["token", "disabled_at = now()"],
    ["password", "authorities = '{}'"],
  ] as const;
  // The streams run at the same time, because each lasts until the API checks its caller's account again, which takes seconds.
  const ended = changes.map(async ([scheme, change]) => {
    const name = newId();
    await api.addUser(name, "correct horse", [...builtInReportAuthorities]);
    const basic = `Basic ${Buffer.from(`${name}:correct horse`).toString("base64")}`;
    const issued = await api.anonymous().post("/v1/tokens").set("Authorization", basic).expect(201);
    const { access_token: token } = issued.body as { access_token: string };
    const stream = await follow(await startReport(), {
      Authorization: scheme === "password" ? basic : `Bearer ${token}`,
    });
    await waitFor(() => stream.text().split(": still here").length > 3, { what: "the stream to outlast some reviews" });
    await api.sql`update users set ${api.sql.unsafe(change)} where name = ${name}`;
    await stream.ended;
    return stream.text();
  });
  for (const text of await Promise.all(ended)) expect(text).toContain('"to":"QUEUED"');
  await waitFor(async () => (await openWatches()) === "0", { what: "the watches to be freed" });
});

test("an event stream ends after maxStreamMs, so that the client authenticates again", async () => {
  await using short = await startApiUnderTest({ clocks: { maxStreamMs: 30 }, databaseUrl: api.databaseUrl });
  await using served = await startListenerUnderTest(short.listener);
  const id = await startReport();
  const authorization = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
  const stream = await openEventStream(served.port, `/v1/reports/${id}/events`, authorization);
  await stream.ended;
  expect(stream.events().map(({ data }) => data["to"])).toEqual(["QUEUED"]);
});

test("above the limit of event streams per caller, /events answers 429", async () => {
  await using small = await startApiUnderTest({
    watching: { maxWatchesPerPrincipal: 1 },
    databaseUrl: api.databaseUrl,
  });
  await using served = await startListenerUnderTest(small.listener);
  const path = `/v1/reports/${await startReport()}/events`;
  const authorization = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
  const first = await openEventStream(served.port, path, authorization);
  await waitFor(() => first.events().length === 1, { what: "the first stream" });
  const second = await openEventStream(served.port, path, authorization);
  expect(second.response.statusCode).toBe(429);
  expect(second.response.headers["ratelimit-policy"]).toBe('"watches";q=1;qu="concurrent-requests"');
  expect(second.response.headers["retry-after"]).toBe("5");
  const stranger = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities, "bob")}` };
  expect((await openEventStream(served.port, path, stranger)).response.statusCode).toBe(200);
});

test("the events of a report answer 503 while the database is unavailable", async () => {
  const cutOff = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const agent = await cutOff.as(builtInReportAuthorities);
  const id = await startReport();
  await cutOff.database.close();
  expect((await agent.get(`/v1/reports/${id}/events`)).status).toBe(503);
  await cutOff[Symbol.asyncDispose]();
});
