import { once } from "node:events";
import { connect } from "node:net";
import { unlimitedStarts } from "@reports/core/report";
import { closeServer, createConnectionObserver, createMetrics, listen, newId } from "@reports/runtime";
import { makeNewReport, waitFor } from "@reports/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import request from "supertest";
import { createHttpServer } from "../server.ts";
import {
  startApiUnderTest,
  createTestToken,
  type ApiUnderTest,
  type ApiUnderTestOptions,
} from "../test/api-under-test.ts";
import type { LimitsUnderTest } from "../test/limits-under-test.ts";

/** All tests use the database of this API, because copying a database takes longer than most of them. */
let owner: ApiUnderTest;
beforeAll(async () => {
  owner = await startApiUnderTest();
  await owner.addUser("alice", "right", []);
});
afterAll(async () => owner[Symbol.asyncDispose]());
beforeEach(async () => owner.removeRows());

const startApi = async (options: Pick<ApiUnderTestOptions, "limits" | "trustedProxyHops">) =>
  startApiUnderTest({ ...options, databaseUrl: owner.databaseUrl });

async function startTwo(limits: LimitsUnderTest) {
  const [first, second] = [await startApi({ limits }), await startApi({ limits })];
  return {
    instances: [first, second] as const,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}

function login(api: ApiUnderTest, name: string, password: string) {
  return request(api.server).get("/v1/report-types").auth(name, password);
}

const start = { reportType: "PROXY", format: "csv" };

describe("starts", () => {
  test("with a limit of 20, two API instances together accept exactly 20 of 30 starts", async () => {
    await using two = await startTwo({ starts: { perMinute: 20, unfinished: 0 } });
    const token = await createTestToken(["REPORT_PROXY"]);
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) =>
        request(two.instances[index % 2]!.server)
          .post("/v1/reports")
          .set("Authorization", `Bearer ${token}`)
          .send(start),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
    expect(refused).toHaveLength(10);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ status: 429, code: "too-many-starts", type: "/problems/too-many-starts" });
      expect(headers["ratelimit-policy"]).toBe('"starts";q=20;w=60');
      expect(headers["ratelimit"]).toMatch(/^"starts";r=0;t=(\d+)$/);
      expect(headers["retry-after"]).toBe(/t=(\d+)/.exec(headers["ratelimit"]!)![1]);
    }
    expect(await two.instances[0].countRows()).toEqual({ reports: 20, jobs: 20 });
  });

  test("the limit of unfinished reports counts both start endpoints and all instances", async () => {
    await using two = await startTwo({ starts: { perMinute: 20, unfinished: 5 } });
    const [first, second] = two.instances;
    const alice = await first.as(["REPORT_PROXY"]);
    const aliceElsewhere = await second.as(["REPORT_PROXY"]);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) {
      const answer = await alice.get("/v1/report").query({ reportType: "PROXY", title: `number ${index}` });
      expect(answer.status).toBe(202);
      expect(answer.headers["ratelimit"]).toContain(`"unfinished";r=${4 - index}`);
      ids.push(answer.body.id as string);
    }
    const refused = await aliceElsewhere.post("/v1/reports").send(start);
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("too-many-unfinished");
    expect(refused.headers["ratelimit-policy"]).toBe('"unfinished";q=5;qu="concurrent-requests"');
    expect(refused.headers["retry-after"]).toBe("5");
    const again = await aliceElsewhere.get("/v1/report").query({ reportType: "PROXY", title: "number 0" });
    expect(again.body).toMatchObject({ id: ids[0], reused: true });
    const bob = await second.as(["REPORT_PROXY"], "bob");
    expect((await bob.post("/v1/reports").send(start)).status).toBe(202);
    await first.succeed(ids[0]!, "name\n");
    expect((await aliceElsewhere.post("/v1/reports").send(start)).status).toBe(202);
  });

  test("START_LIMITS gives an authority its own limits, shared by two API instances", async () => {
    await using two = await startTwo({
      starts: { perMinute: 2, unfinished: 1 },
      startsByAuthority: [{ authority: "SERVICE_BATCH", perMinute: 120, unfinished: 6 }],
    });
    const service = await Promise.all(
      two.instances.map(async (api) => api.as(["REPORT_PROXY", "SERVICE_BATCH"], "batch")),
    );
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => service[index % 2]!.post("/v1/reports").send(start)),
    );
    const started = answers.filter(({ status }) => status === 202);
    expect(started).toHaveLength(6);
    const policy = '"starts";q=120;w=60, "unfinished";q=6;qu="concurrent-requests"';
    for (const { headers } of started) expect(headers["ratelimit-policy"]).toBe(policy);
    for (const { status, body, headers } of answers.filter((answer) => answer.status !== 202)) {
      expect([status, body.code]).toEqual([429, "too-many-unfinished"]);
      expect(headers["ratelimit"]).toBe('"unfinished";r=0');
    }
    // The two refused starts were rolled back, so they do not count: six of 120 starts are used.
    await two.instances[0].succeed(started[0]!.body.id as string, "name\n");
    const next = await service[1]!.post("/v1/reports").send(start);
    expect(next.headers["ratelimit"]).toMatch(/^"starts";r=113;t=\d+, "unfinished";r=0$/);
    const alice = await two.instances[1].as(["REPORT_PROXY"]);
    expect((await alice.post("/v1/reports").send(start)).headers["ratelimit-policy"]).toContain('"starts";q=2;w=60');
    expect((await alice.post("/v1/reports").send(start)).body.code).toBe("too-many-unfinished");
  });

  test("at the start limit, errors and a missing authority take precedence over 429", async () => {
    await using api = await startApi({ limits: { starts: { perMinute: 1, unfinished: 0 } } });
    const alice = await api.as(["REPORT_PROXY"]);
    await alice.post("/v1/reports").send(start);
    expect((await alice.post("/v1/reports").send(start)).status).toBe(429);
    expect((await alice.post("/v1/reports").send({ ...start, format: "doc" })).status).toBe(422);
    expect((await alice.post("/v1/reports").send({ reportType: "PROXY_DOMAIN" })).status).toBe(403);
    expect((await alice.get("/v1/report?reportType=PROXY&format=doc")).status).toBe(400);
    expect((await alice.get("/v1/report?reportType=NONE")).status).toBe(400);
  });

  test("while the queue is too long, starts get 429 and existing reports can be read", async () => {
    await using api = await startApi({ limits: { overload: { waiting: 1, oldestWaitSeconds: 0 } } });
    const alice = await api.as(["REPORT_PROXY"]);
    const created = await api.reports.createQueued(
      makeNewReport({ id: newId(), requestedBy: "basic:bob" }),
      unlimitedStarts,
    );
    const refused = await alice.post("/v1/reports").send(start);
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("overloaded");
    expect(refused.headers["retry-after"]).toBe("15");
    expect(refused.headers["ratelimit"]).toBe('"queue";r=0');
    expect((await alice.get(`/v1/reports/${created.report.id}`)).status).toBe(200);
  });

  test("waiting reports of the bulk lane do not block starts in the quick lane", async () => {
    await using api = await startApi({ limits: { overload: { waiting: 1, oldestWaitSeconds: 60 } } });
    const alice = await api.as(["REPORT_PROXY"]);
    await api.sql`
      insert into reports (id, report_type, definition_version, title, status, search_param, options, requested_by, progress_phase, max_failures, lane)
      select gen_random_uuid(), 'PROXY', 1, 't', 'QUEUED', '{}', '{}', 'basic:bob', 'waiting', 3, 'bulk' from generate_series(1, 5)`;
    await api.sql`select enqueue_reports(array(select id from reports where requested_by = 'basic:bob'), 0, 0)`;
    await api.sql`update report_queue_bulk._private_jobs set run_at = now() - interval '1 h'`;
    expect((await alice.post("/v1/reports").send(start)).status).toBe(202);
  });

  test("while the queue is too long, repeats of earlier starts are still answered", async () => {
    await using api = await startApi({ limits: { overload: { waiting: 2, oldestWaitSeconds: 0 } } });
    const alice = await api.as(["REPORT_PROXY"]);
    const post = (key: string, body: object = start) =>
      alice.post("/v1/reports").set("Idempotency-Key", key).send(body);
    const get = (title: string) => alice.get("/v1/report").query({ reportType: "PROXY", title });
    const posted = await post("key-1");
    const got = await get("wanted");
    let attempts = 0;
    // An instance reuses its reading of the queue for a second, so it may still accept the first starts.
    const isRefused = async () => (await post(`other-${(attempts += 1)}`)).status === 429;
    await waitFor(isRefused, { what: "the overload to be noticed" });

    const repeated = await post("key-1");
    expect(repeated.status).toBe(202);
    expect(repeated.headers["idempotency-replayed"]).toBe("true");
    expect(repeated.text).toBe(posted.text);
    expect((await get("wanted")).body).toMatchObject({ id: got.body.id, reused: true });
    expect((await post("key-1", { ...start, title: "another" })).body).toMatchObject({
      code: "idempotency-key-reused",
    });
    expect((await get("not wanted yet")).body).toMatchObject({ code: "overloaded" });
    expect((await post("key-2")).body).toMatchObject({ code: "overloaded" });
  });
});

describe("requests", () => {
  test("each response has the number of requests that the principal may still send", async () => {
    await using api = await startApi({ limits: { requestsPerMinute: 2 } });
    const alice = await api.as([]);
    const first = await alice.get("/v1/report-types");
    expect(first.headers["ratelimit-policy"]).toBe('"requests";q=2;w=60');
    expect(first.headers["ratelimit"]).toMatch(/^"requests";r=1;t=60$/);
    await alice.head("/v1/report-types");
    const refused = await alice.get("/v1/report-types");
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("too-many-requests");
    expect((await (await api.as([], "bob")).get("/v1/report-types")).status).toBe(200);
    expect((await api.anonymous().get("/health/live")).headers["ratelimit"]).toBeUndefined();
  });
});

test("refused requests count towards the limit, and their own error precedes 429", async () => {
  await using api = await startApi({ limits: { requestsPerMinute: 2 } });
  const alice = await api.as([]);
  const wrong = await alice.get("/v1/report-types?nothing=1");
  expect(wrong.status).toBe(400);
  expect(wrong.headers["ratelimit"]).toMatch(/^"requests";r=1;t=60$/);
  expect((await alice.get("/v1/proxies")).status).toBe(403);
  expect((await alice.get("/v1/report-types")).status).toBe(429);
  const wrongAgain = await alice.get("/v1/report-types?nothing=1");
  expect(wrongAgain.status).toBe(400);
  expect(wrongAgain.headers["ratelimit"]).toMatch(/^"requests";r=0;t=\d+$/);
});

describe("downloads", () => {
  test("a finished download frees its slot, and HEAD needs no slot", async () => {
    await using api = await startApi({ limits: { downloads: { total: 1, perPrincipal: 1 } } });
    const alice = await api.as(["REPORT_PROXY"]);
    const { body } = await alice.post("/v1/reports").send(start);
    await api.succeed(body.id as string, "name\n");
    const url = `/v1/report/download?reportType=PROXY&id=${body.id}`;
    for (let index = 0; index < 3; index++) expect((await alice.get(url)).status).toBe(200);
    expect((await alice.head(url)).status).toBe(200);
  });
});

test("the API disconnects a download whose reader is too slow, and frees its slot", async () => {
  await using api = await startApi({ limits: { downloads: { total: 1, perPrincipal: 1 } } });
  // The API disconnects no reader yet, so that the test can first see the used slot.
  const slowReaders = { bytesPerSecond: 1e9, patienceMs: Infinity };
  const observer = createConnectionObserver(createMetrics(), api.logger);
  const server = createHttpServer(api.listener, { newId, basePath: "", limits: { slowReaders }, observer });
  const { port } = await listen(server, { host: "127.0.0.1", port: 0 });
  const alice = await api.as(["REPORT_PROXY"]);
  const { body } = await alice.post("/v1/reports").send(start);
  // The file is larger than the kernel's buffers, so the download cannot finish while nothing reads it.
  await api.succeed(body.id as string, Buffer.alloc(24 * 1024 * 1024));
  const path = `/v1/report/download?reportType=PROXY&id=${body.id}`;
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await createTestToken(["REPORT_PROXY"])}\r\n\r\n`,
  );
  await once(socket, "readable");
  expect((await alice.get(path).set("Range", "bytes=0-9")).status).toBe(429);
  slowReaders.patienceMs = 200;
  await waitFor(async () => (await alice.get(path).set("Range", "bytes=0-9")).status === 206, {
    what: "the slow reader's slot to be free",
  });
  expect(api.lines).toContainEqual(expect.objectContaining({ msg: "slow reader dropped" }));
  socket.destroy();
  await closeServer(server, AbortSignal.timeout(5_000));
});

describe("failed logins", () => {
  test("with a limit of 10, exactly 10 of 30 wrong passwords at two instances get 401", async () => {
    await using two = await startTwo({ logins: { perAddress: 10, perAccount: 0 } });
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => login(two.instances[index % 2]!, `user-${index}`, "wrong")),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    for (const instance of two.instances) {
      const right = await login(instance, "alice", "right");
      expect(right.status).toBe(429);
      expect(right.body.code).toBe("too-many-failed-logins");
      expect(right.headers["ratelimit-policy"]).toBe('"login-failures";q=10;w=60');
      expect(Number(right.headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  test("wrong passwords for one account do not block other accounts", async () => {
    await using api = await startApi({ limits: { logins: { perAddress: 0, perAccount: 1 } } });
    expect((await login(api, "mallory", "wrong")).status).toBe(401);
    expect((await login(api, "mallory", "wrong")).status).toBe(429);
    expect((await login(api, "alice", "right")).status).toBe(200);
  });

  test("an address with too many failed logins can still use bearer tokens", async () => {
    await using api = await startApi({ limits: { logins: { perAddress: 1, perAccount: 0 } } });
    expect((await login(api, "mallory", "wrong")).status).toBe(401);
    expect((await login(api, "mallory", "wrong")).status).toBe(429);
    expect((await (await api.as([])).get("/v1/report-types")).status).toBe(200);
    expect((await api.anonymous().get("/v1/report-types").set("Authorization", "Bearer x.y.z")).status).toBe(401);
    expect((await api.anonymous().get("/v1/report-types")).status).toBe(401);
  });

  test("missing or malformed credentials and wrong tokens do not count as failed logins", async () => {
    await using api = await startApi({ limits: { logins: { perAddress: 1, perAccount: 0 } } });
    for (const header of ["Basic !!", "Basic YWxpY2U=", "Bearer x.y.z", "Digest abc"]) {
      expect((await api.anonymous().get("/v1/report-types").set("Authorization", header)).status).toBe(401);
    }
    expect((await login(api, "alice", "right")).status).toBe(200);
  });

  test("failed logins count for the address from a trusted proxy, not for a forged one", async () => {
    await using behindProxy = await startApi({
      limits: { logins: { perAddress: 1, perAccount: 0 } },
      trustedProxyHops: 1,
    });
    await login(behindProxy, "mallory", "wrong").set("X-Forwarded-For", "10.9.9.9, 203.0.113.1");
    expect((await login(behindProxy, "mallory", "wrong").set("X-Forwarded-For", "1.2.3.4, 203.0.113.1")).status).toBe(
      429,
    );
    expect((await login(behindProxy, "mallory", "wrong").set("X-Forwarded-For", "203.0.113.2")).status).toBe(401);
    await using direct = await startApi({ limits: { logins: { perAddress: 1, perAccount: 0 } } });
    await login(direct, "mallory", "wrong").set("X-Forwarded-For", "203.0.113.1");
    expect((await login(direct, "mallory", "wrong").set("X-Forwarded-For", "203.0.113.2")).status).toBe(429);
  });
});

describe("refusals", () => {
  test("the API delays refusals only to unauthenticated callers, until they disconnect", async () => {
    const addresses: string[] = [];
    const countRefusal = (address: string): number => {
      addresses.push(address);
      return 3_600_000;
    };
    await using api = await startApi({ limits: { refusals: { countRefusal } }, trustedProxyHops: 1 });
    const refusedCall = api.anonymous().get("/v1/report-types").set("X-Forwarded-For", "2001:db8::7");
    const refused = refusedCall.then(
      () => "answered",
      () => "left",
    );
    await waitFor(() => addresses.length === 1, { what: "the caller to be refused" });
    expect((await (await api.as([])).get("/v1/reports/no-such-report")).status).toBe(404);
    expect((await api.anonymous().get("/health/live")).status).toBe(200);
    expect(addresses).toEqual(["2001:db8:0:0::/64"]);
    void refusedCall.abort();
    await waitFor(() => api.lines.find(({ status }) => status === 499), { what: "the log line of the caller" });
    expect(await Promise.race([refused, Promise.resolve("not answered")])).not.toBe("answered");
  });
});

test("above twice the request limit, every request gets 429, even an invalid one", async () => {
  await using api = await startApi({ limits: { requestsPerMinute: 2 } });
  const alice = await api.as([]);
  for (let index = 0; index < 4; index++) expect((await alice.get("/v1/proxies")).status).toBe(403);
  const oversized = { reportType: "PROXY", ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, n])) };
  for (const refused of [
    await alice.get("/v1/proxies"),
    await alice.head("/v1/proxies"),
    await alice.get("/v1/report-types?nothing=1"),
    await alice.get("/v1/report-types").set("Accept", "image/png"),
    await alice.post("/v1/reports").send(oversized),
    await alice.post("/v1/reports").set("Content-Type", "text/plain").send("x".repeat(300_000)),
    await alice.get(`/v1/reports/${newId()}`),
  ]) {
    expect(refused.status).toBe(429);
    expect(refused.headers["ratelimit-policy"]).toBe('"requests";q=2;w=60');
    expect(refused.headers["ratelimit"]).toMatch(/^"requests";r=0;t=\d+$/);
    expect(refused.headers["retry-after"]).toBe(/t=(\d+)/.exec(refused.headers["ratelimit"]!)![1]);
  }
  expect((await alice.options("/v1/proxies")).status).toBe(204);
  expect((await api.anonymous().get("/v1/proxies")).status).toBe(401);
  expect((await (await api.as([], "bob")).get("/v1/proxies")).status).toBe(403);
});
