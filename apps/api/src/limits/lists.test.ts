import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createMetrics } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { CallerLeftError } from "../endpoint/caller-left-error.ts";
import { startApiUnderTest, createTestToken, type ApiUnderTest } from "../test/api-under-test.ts";
import { createListConcurrencyLimiter } from "./list-concurrency-limiter.ts";

const authorities = ["REGISTRY_READ", "REGISTRY_WRITE", "REPORT_PROXY"];
const lists = ["/v1/proxies", "/v1/domains?count=exact", "/v1/reports"];
let api: ApiUnderTest;
/** A database connection that locks the tables, so that lists wait for the lock. */
let lockHolder: postgres.Sql;
let held: postgres.ReservedSql;

beforeAll(async () => {
  api = await startApiUnderTest({ limits: { listsPerPrincipal: 3 }, listDatabase: { max: 6 } });
  lockHolder = postgres(api.databaseUrl, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await lockHolder.end();
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => {
  held = await lockHolder.reserve();
  await held`begin`;
});
afterEach(async () => {
  await held`rollback`;
  held.release();
});

async function hold(tables: string): Promise<void> {
  await held.unsafe(`lock table ${tables} in access exclusive mode`);
}

const waiting = async (): Promise<number> => {
  const [row] = await api.sql`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and application_name = 'reports-lists' and state = 'active'`;
  return row!["waiting"] as number;
};
const gaugeOf = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await api.metrics.render()).body)?.[1]);
const untilWaiting = async (expected: number) =>
  waitFor(async () => (await waiting()) === expected, { what: `${expected} lists` });
const untilAllThree = async () => {
  await waitFor(async () => (await gaugeOf("reports_open_lists")) === 3, { what: "three open lists" });
  await untilWaiting(1);
};

const proxy = (name: string) => ({
  name,
  kind: "REVERSE",
  address: `${name}.example.net`,
  port: 443,
  protocol: "HTTPS",
});

test("a principal's fourth concurrent list gets 429, without an effect on others", async () => {
  const alice = await api.as(authorities);
  const bob = await api.as(authorities, "bob");
  const { body } = await alice.post("/v1/proxies").send(proxy("fourth")).expect(201);
  await hold("domains");
  const open = [1, 2, 3].map(async () => alice.get("/v1/domains"));
  await untilAllThree();
  for (const path of [...lists, `/v1/proxies/${body.id}/domains`]) {
    const refused = await alice.get(path);
    expect([path, refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([
      path,
      429,
      "too-many-lists",
      "1",
    ]);
    expect(refused.headers["ratelimit-policy"]).toContain('"lists";q=3');
  }
  await alice.get("/v1/proxies?nothing=1").expect(400);
  await alice.get(`/v1/proxies/${body.id}`).expect(200);
  await bob.get("/v1/proxies").expect(200);
  await held`rollback`;
  for (const { status } of await Promise.all(open)) expect(status).toBe(200);
  await alice.get("/v1/domains").expect(200);
});

test("while lists use all of their database connections, other requests are answered", async () => {
  const alice = await api.as(authorities);
  const { body } = await alice.post("/v1/proxies").send(proxy("everything-else")).expect(201);
  await api.addUser("carol", "a-long-password", authorities);
  await hold("domains");
  const open = [];
  for (const name of ["one", "two", "three", "four", "five", "six"]) {
    const agent = await api.as(authorities, name);
    open.push(...[1, 2, 3].map(async () => agent.get("/v1/domains")));
  }
  await untilWaiting(6);
  const report = (await alice.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202)).body;
  const basic = { Authorization: `Basic ${Buffer.from("carol:a-long-password").toString("base64")}` };
  expect(
    await Promise.all([
      alice.get(`/v1/proxies/${body.id}`),
      alice.patch(`/v1/proxies/${body.id}`).send({ port: 444 }),
      alice.get(`/v1/reports/${report.id}`),
      alice.get(`/v1/reports/${report.id}/events`),
      api.anonymous().post("/v1/tokens").set(basic),
      api.anonymous().get("/health/ready"),
    ]).then((answers) => answers.map(({ status }) => status)),
  ).toEqual([200, 201, 200, 200, 201, 200]);
  expect(await waiting()).toBe(6);
  await held`rollback`;
  for (const { status } of await Promise.all(open)) expect(status).toBe(200);
});

test("two principals at their limit of lists leave database connections to others", async () => {
  const greedy = await Promise.all(["one", "two"].map(async (name) => api.as(authorities, name)));
  const third = await api.as(authorities, "three");
  await hold("domains");
  const open = [1, 2, 3].map(async () => greedy[0]!.get("/v1/domains"));
  await untilAllThree();
  open.push(...[1, 2, 3].map(async () => greedy[1]!.get("/v1/domains")));
  await waitFor(async () => (await gaugeOf("reports_open_lists")) === 6, { what: "all of their lists" });
  await untilWaiting(2);
  expect(await gaugeOf("reports_waiting_lists")).toBe(4);
  // The earlier lists still wait for locks on their connections, so this list must have got another connection.
  expect((await third.get("/v1/proxies")).status).toBe(200);
  expect((await greedy[0]!.get("/v1/proxies")).status).toBe(429);
  await held`rollback`;
  for (const { status } of await Promise.all(open)) expect(status).toBe(200);
});

test("a list that gets no database connection in time is rejected with list-too-slow", async () => {
  const impatient = createListConcurrencyLimiter({ perPrincipal: 0, connections: 1, deadlineMs: 0 }, createMetrics());
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const first = impatient.run("alice", new AbortController().signal, async () => end);
  vi.useFakeTimers();
  try {
    const second = impatient.run("bob", new AbortController().signal, async () => 1);
    await Promise.all([
      expect(second).rejects.toMatchObject({ code: "list-too-slow" }),
      vi.advanceTimersByTimeAsync(2_000),
    ]);
  } finally {
    vi.useRealTimers();
  }
  const leaving = new AbortController();
  const left = impatient.run("bob", leaving.signal, async () => 1);
  leaving.abort(new CallerLeftError());
  await expect(left).rejects.toThrow(CallerLeftError);
  resolve();
  await first;
  expect(await impatient.run("bob", new AbortController().signal, async () => 1)).toBe(1);
});

test("a list waits for a database connection as long as two other lists may take", async () => {
  vi.useFakeTimers();
  try {
    const slots = createListConcurrencyLimiter({ perPrincipal: 3, connections: 6, deadlineMs: 3_000 }, createMetrics());
    const { signal } = new AbortController();
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const first = slots.run("alice", signal, async () => end);
    const refused = slots.run("alice", signal, async () => end).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(7_999);
    const third = slots.run("alice", signal, async () => "read");
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toMatch("waited 8 s");
    resolve();
    expect(await Promise.all([first, third])).toEqual([undefined, "read"]);
  } finally {
    vi.useRealTimers();
  }
});

test("a disconnect cancels the statements of the caller's lists and frees their slots", async () => {
  const server = createServer(api.listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const headers = { Authorization: `Bearer ${await createTestToken(authorities)}` };
  await hold("proxies, domains, reports");
  const requests = lists.map((path) => get({ port, path, headers, agent: false }).on("error", () => undefined));
  await untilAllThree();
  for (const request of requests) request.destroy();
  // The tables are still locked, so the statements have ended because they were cancelled.
  await untilWaiting(0);
  // A slot stays in use until the cancel request to Postgres has ended. Otherwise, the request could cancel the next statement on the same
  // connection.
  await waitFor(async () => (await gaugeOf("reports_open_lists")) === 0, { what: "their slots to be free" });
  const again = lists.map(async (path) => {
    const [answer] = (await once(get({ port, path, headers, agent: false }), "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  });
  await untilAllThree();
  await held`rollback`;
  expect(await Promise.all(again)).toEqual([200, 200, 200]);
  server.close();
});

test("a list above its time limit gets 503 and frees its database connection", async () => {
  await using hasty = await startApiUnderTest({
    databaseUrl: api.databaseUrl,
    limits: { listsPerPrincipal: 1 },
    listDatabase: { max: 1, deadlineMs: 1_000 },
  });
  const alice = await hasty.as(authorities);
  // The time limit includes the time to connect, so a list can fail until a new connection exists.
  await waitFor(async () => (await alice.get("/v1/domains")).status === 200, { what: "a connection" });
  await hold("domains");
  for (let round = 0; round < 2; round++) {
    // On a busy machine, a list can also fail while it connects or waits for the connection. Its problem then has another code or detail.
    const { status, headers } = await waitFor(
      async () => {
        const answer = await alice.get("/v1/domains?sort=-requests24h&count=exact");
        return answer.body.code === "list-too-slow" && /filter.*sort.*count/.test(answer.body.detail) && answer;
      },
      { what: "a list above its time limit" },
    );
    expect([status, headers["retry-after"]]).toEqual([503, "2"]);
  }
  await untilWaiting(0);
  expect((await hasty.metrics.render()).body).toMatch(
    /reports_lists_unanswered_total\{reason="slow"\} (?:[2-9]|\d\d+)$/m,
  );
});
