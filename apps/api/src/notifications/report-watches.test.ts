import { migrateDatabase } from "@reports/db";
import { createFaultProxy, createTestDatabases, unrestrictedClaimTerms, waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import type { ApiUnderTest, ApiUnderTestOptions } from "../test/api-under-test.ts";
import { openEventStream, startListenerUnderTest } from "../test/event-stream-reader.ts";

/** A poll interval in milliseconds that is longer than any test, so that the API learns of changes only from notifications. */
const never = 600_000;
const neverPoll = { livePollMs: never, lostPollMs: never };

/** All tests share a database, because copying one takes longer than most of them. */
const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
let database: Awaited<ReturnType<typeof databases.cloneDatabase>>;
beforeAll(async () => void (database = await databases.cloneDatabase()));
afterAll(async () => database[Symbol.asyncDispose]());

const startApi = async (options: Pick<ApiUnderTestOptions, "changes" | "clocks" | "databaseUrl" | "watching"> = {}) =>
  startApiUnderTest({ databaseUrl: database.url, ...options });

async function startReport(api: ApiUnderTest): Promise<string> {
  const agent = await api.as(builtInReportAuthorities);
  const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  return (body as { id: string }).id;
}

async function follow(api: ApiUnderTest, id: string) {
  const served = await startListenerUnderTest(api.listener);
  const authorization = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
  const stream = await openEventStream(served.port, `/v1/reports/${id}/events`, authorization);
  const statuses = () => stream.events().flatMap(({ event, data }) => (event === "status" ? [data["to"]] : []));
  await waitFor(() => statuses().length > 0, { what: "the first event" });
  return { stream, statuses, [Symbol.asyncDispose]: async () => served[Symbol.asyncDispose]() };
}

async function isLive(api: ApiUnderTest): Promise<boolean> {
  return (await api.metrics.render()).body.includes("\nreport_changes_live 1\n");
}

const becomesLive = async (api: ApiUnderTest) => waitFor(async () => isLive(api), { what: "notifications" });
const becomesLost = async (api: ApiUnderTest) => waitFor(async () => !(await isLive(api)), { what: "the loss" });

async function listeners({ sql }: ApiUnderTest): Promise<readonly number[]> {
  const rows = await sql<
    { pid: number }[]
  >`select pid from pg_stat_activity where application_name = 'reports-listen' and datname = current_database()`;
  return rows.map(({ pid }) => pid);
}

test("each API instance notices changes of reports through one listening connection", async () => {
  await using first = await startApi({ clocks: neverPoll });
  await using second = await startApi({ clocks: neverPoll });
  await Promise.all([becomesLive(first), becomesLive(second)]);
  const id = await startReport(first);
  await using atFirst = await follow(first, id);
  await using atSecond = await follow(second, id);
  await using again = await follow(second, id);
  // The session of an earlier test can still be ending.
  await waitFor(async () => (await listeners(first)).length === 2, { what: "one listening session per instance" });
  await (
    await second.as(builtInReportAuthorities)
  )
    .patch(`/v1/reports/${id}`)
    .send({ status: "CANCELLED" })
    .expect(201);
  await Promise.all([atFirst, atSecond, again].map(async ({ stream }) => stream.ended));
  for (const { statuses } of [atFirst, atSecond, again]) expect(statuses()).toEqual(["QUEUED", "CANCELLED"]);
});

test("the API misses no change of a report when its listening session is terminated", async () => {
  await using api = await startApi({ clocks: neverPoll });
  await becomesLive(api);
  const id = await startReport(api);
  await using follower = await follow(api, id);
  const pid = await waitFor(
    async () => {
      const [first, ...others] = await listeners(api);
      return others.length === 0 && first;
    },
    { what: "the end of the sessions of earlier tests" },
  );
  await api.sql`select pg_terminate_backend(${pid})`;
  const losses = () => api.lines.filter(({ msg }) => String(msg).includes("report change notifications lost"));
  // The test waits for the log line, because the metric may show the loss of the connection only for a short time.
  await waitFor(() => losses().length === 1, { what: "the loss" });
  await api.succeed(id, "a");
  await follower.stream.ended;
  expect(follower.statuses()).toEqual(["QUEUED", "RUNNING", "SUCCEEDED"]);
  await becomesLive(api);
  await waitFor(async () => !(await listeners(api)).includes(pid), { what: "the end of the terminated session" });
  expect(await listeners(api)).toHaveLength(1);
  expect(losses()).toHaveLength(1);
});

test.each(["refuse", "black-hole"] as const)(
  "while notifications are lost (%s), polling delivers transitions and progress",
  async (kind) => {
    await using direct = await startApi();
    const { hostname, port } = new URL(direct.databaseUrl);
    await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
    const url = new URL(direct.databaseUrl);
    url.host = `${proxy.host}:${proxy.port}`;
    await using api = await startApi({
      changes: { url: url.href, heartbeatMs: 50 },
      clocks: { livePollMs: never, lostPollMs: 20 },
    });
    await becomesLive(api);
    const id = await startReport(api);
    await using follower = await follow(api, id);
    await proxy.set({ kind });
    await becomesLost(api);
    await api.reports.claim(id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
    await waitFor(() => follower.statuses().includes("RUNNING"), { what: "the claim" });
    const progress = { phase: "rendering", rowsDone: 1, rowsTotal: 4, percent: 25 } as const;
    await api.reports.heartbeat(id, 1, { leaseMs: 60_000, progress });
    await waitFor(() => follower.stream.events().some(({ data }) => data["percent"] === 25), { what: "the progress" });
    expect(await isLive(api)).toBe(false);
    await proxy.set({ kind: "none" });
    await becomesLive(api);
    await api.reports.fail(id, 1, { code: "INVALID_DATA", detail: "No.", retryable: false, spendsFailure: false });
    await follower.stream.ended;
    expect(follower.statuses()).toEqual(["QUEUED", "RUNNING", "FAILED"]);
  },
);

test("an event stream survives a database outage during which its report changes", async () => {
  await using direct = await startApi();
  const { hostname, port } = new URL(direct.databaseUrl);
  await using proxy = await createFaultProxy({ upstream: { host: hostname, port: Number(port) } });
  const url = new URL(direct.databaseUrl);
  url.host = `${proxy.host}:${proxy.port}`;
  await using api = await startApi({
    databaseUrl: url.href,
    changes: { url: direct.databaseUrl },
    clocks: { livePollMs: 50 },
  });
  await becomesLive(api);
  const id = await startReport(direct);
  await using follower = await follow(api, id);
  await proxy.set({ kind: "refuse" });
  await direct.reports.cancel(id, "basic:alice");
  await waitFor(() => api.lines.some(({ msg }) => msg === "watched reports cannot be read"), {
    what: "the outage",
  });
  await proxy.set({ kind: "none" });
  await follower.stream.ended;
  expect(follower.statuses()).toEqual(["QUEUED", "CANCELLED"]);
});

test("a hundred watches of one report together read the report once per change", async () => {
  await using api = await startApi({ clocks: neverPoll, watching: { maxWatchesPerPrincipal: 100 } });
  await becomesLive(api);
  const id = await startReport(api);
  const watches = Array.from({ length: 100 }, () => api.watches.open(id, "basic:alice"));
  const signal = new AbortController().signal;
  await Promise.all(watches.map(async (watch) => watch.read()));
  const woken = watches.map(async (watch) => {
    // The notification of the report's start may arrive late and end this wait too early, so the wait is repeated.
    for (;;) {
      expect(await watch.changed(signal)).toBe("changed");
      const record = await watch.read();
      if (record?.status !== "QUEUED") return record;
    }
  });
  await api.reports.cancel(id, "basic:alice");
  const records = await Promise.all(woken);
  expect(new Set(records).size).toBe(1);
  expect(records[0]).toMatchObject({ id, status: "CANCELLED" });
  for (const watch of watches) watch[Symbol.dispose]();
});

test("a hundred watches of one report that begin together read the report only twice", async () => {
  await using api = await startApi({ clocks: neverPoll, watching: { maxWatchesPerPrincipal: 100 } });
  await becomesLive(api);
  const id = await startReport(api);
  const read = Array.from({ length: 100 }, async () => {
    using watch = api.watches.open(id, "basic:alice");
    return await watch.read();
  });
  const records = await Promise.all(read);
  expect(new Set(records).size).toBe(2);
  expect(new Set(records.map((record) => record?.id))).toEqual(new Set([id]));
});

test("a periodic poll finds a report's change whose notification was lost", async () => {
  await using api = await startApi({ clocks: { livePollMs: 20, lostPollMs: never } });
  await becomesLive(api);
  const id = await startReport(api);
  await using follower = await follow(api, id);
  const agent = await api.as(builtInReportAuthorities);
  await api.sql`alter table reports disable trigger reports_notify_change`;
  try {
    await agent.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" }).expect(201);
  } finally {
    // The other tests use the same database.
    await api.sql`alter table reports enable trigger reports_notify_change`;
  }
  await follower.stream.ended;
  expect(follower.statuses()).toEqual(["QUEUED", "CANCELLED"]);
});
