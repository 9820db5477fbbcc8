import type { KeySetState } from "@reports/auth";
import { builtInReportTypes } from "@reports/core/report";
import type { StoreState } from "@reports/core/base";
import { createWorkerRegistry } from "@reports/db";
import { createMetrics } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let failing = false;
let storeState: StoreState = "ok";

beforeAll(async () => {
  api = await startApiUnderTest({
    checks: {
      database: async () => undefined,
      queue: async () => {
        if (failing) throw new Error("the secret queue at queue.internal is away");
      },
    },
    storeState: () => storeState,
  });
});
afterAll(async () => api[Symbol.asyncDispose]());

test("/health/live answers 200 without credentials", async () => {
  const response = await api.anonymous().get("/health/live");
  expect(response.status).toBe(200);
  expect(response.body).toEqual({ status: "ok" });
});

test("/health/ready answers 200, or 503 with only the names of the failing checks", async () => {
  expect((await api.anonymous().get("/health/ready")).body).toMatchObject({
    status: "ok",
    store: "ok",
    checks: { queue: { status: "ok" } },
  });
  failing = true;
  const response = await api.anonymous().get("/health/ready");
  failing = false;
  expect(response.status).toBe(503);
  expect(response.body).toMatchObject({ code: "not-ready", errors: [{ message: "queue: failing" }] });
  expect(response.text).not.toContain("internal");
});

test.each(["mismatch", "unavailable"] as const)(
  "/health/ready answers 200 with the store's state while that is %s",
  async (state) => {
    storeState = state;
    const response = await api.anonymous().get("/health/ready");
    storeState = "ok";
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "ok", store: state });
  },
);

test("/health/ready answers 200 with the state of the issuer's keys, if there is one", async () => {
  expect((await api.anonymous().get("/health/ready")).body).not.toHaveProperty("issuerKeys");
  let state: KeySetState = "ok";
  await using other = await startApiUnderTest({ databaseUrl: api.databaseUrl, issuerKeysState: () => state });
  for (state of ["ok", "stale", "unavailable"] as const) {
    const response = await other.anonymous().get("/health/ready");
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: "ok", issuerKeys: state });
  }
});

test("/metrics counts requests by route pattern, not by URL", async () => {
  const id = "0190f0f0-0000-7000-8000-000000000000";
  await (await api.as(builtInReportAuthorities)).get(`/v1/reports/${id}`).expect(404);
  const response = await api.anonymous().get("/metrics").set("Accept", "application/openmetrics-text");
  expect(response.status).toBe(200);
  expect(response.headers["content-type"]).toMatch(/^text\/plain/);
  expect(response.text).toContain('reports_http_requests_total{route="/v1/reports/{id}",method="GET",status="404"} 1');
  expect(response.text).not.toContain(id);
});

test("report_types_unserved is 1 for a type that no worker serves in its version", async () => {
  await using other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const worker = { workerId: "w", host: "h", pid: 1, version: "1", lanes: ["quick"] };
  const [proxy, domain] = builtInReportTypes;
  const servedTypes = { [proxy!.type]: proxy!.version, [domain!.type]: domain!.version - 1 };
  await createWorkerRegistry(other.database).heartbeat({ ...worker, servedTypes, webhookKeys: [] }, []);
  const { text } = await other.anonymous().get("/metrics").expect(200);
  expect(text).toContain(`report_types_unserved{type="${proxy!.type}"} 0`);
  expect(text).toContain(`report_types_unserved{type="${domain!.type}"} 1`);
});

test.each(["/health/live", "/health/ready", "/metrics"])("%s answers 400 to a query parameter", async (path) => {
  expect((await api.anonymous().get(`${path}?x=1`)).status).toBe(400);
});

test.each(["/health/live", "/health/ready"])("%s answers 406 to a caller that does not accept JSON", async (path) => {
  expect((await api.anonymous().get(path).set("Accept", "text/html")).status).toBe(406);
});

test("successful probes are logged at level debug, failed ones at info", async () => {
  await using working = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  await using broken = await startApiUnderTest({
    databaseUrl: api.databaseUrl,
    checks: {
      database: async () => {
        throw new Error("down");
      },
    },
  });
  for (const path of ["/health/live", "/health/ready", "/metrics"]) await working.anonymous().get(path).expect(200);
  await working.anonymous().get("/docs").expect(200);
  await broken.anonymous().get("/health/ready").expect(503);
  const levelsOf = async ({ lines }: typeof api, count: number) => {
    const requests = () => lines.filter(({ msg }) => msg === "request");
    await waitFor(() => requests().length === count, { what: "the lines of all requests" });
    return requests().map(({ route, level }) => [route, level]);
  };
  expect(await levelsOf(working, 4)).toEqual([
    ["/health/live", "debug"],
    ["/health/ready", "debug"],
    ["/metrics", "debug"],
    ["/docs", "info"],
  ]);
  expect(await levelsOf(broken, 1)).toEqual([["/health/ready", "info"]]);
});

test("/metrics counts created and cancelled reports once, by type and format", async () => {
  await using other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  const alice = await other.as(builtInReportAuthorities, "alice");
  const begin = async (format: string): Promise<string> => {
    const { body } = await alice.post("/v1/reports").send({ reportType: "PROXY", format }).expect(202);
    return (body as { id: string }).id;
  };
  const counted = async (format: string): Promise<string[]> => {
    const { body: text } = await other.metrics.render();
    const lines = text.matchAll(/^reports_(\w+)_total\{type="PROXY",format="(\w+)"(?:,outcome="(\w+)")?\} (\d+)$/gm);
    return [...lines]
      .filter(([, , found]) => found === format)
      .map(([, what, , outcome, count]) => [what, outcome, count].filter(Boolean).join(" "));
  };
  expect(await counted("csv")).toEqual([
    "created 0",
    "finished SUCCEEDED 0",
    "finished FAILED 0",
    "finished CANCELLED 0",
  ]);
  const [cancelled, removed, ended] = [await begin("csv"), await begin("csv"), await begin("csv")];
  await alice.get("/v1/report?reportType=PROXY&format=json").expect(202);
  // The second start creates no report, because it equals the first one, whose report is unfinished.
  await alice.get("/v1/report?reportType=PROXY&format=json").expect(202);
  await alice.patch(`/v1/reports/${cancelled}`).send({ status: "CANCELLED" }).expect(201);
  await alice.delete(`/v1/reports/${removed}`).expect(204);
  await other.succeed(ended, "row\n");
  await alice.delete(`/v1/reports/${ended}`).expect(204);
  expect(await counted("csv")).toEqual([
    "created 3",
    "finished SUCCEEDED 0",
    "finished FAILED 0",
    "finished CANCELLED 2",
  ]);
  expect((await counted("json"))[0]).toBe("created 1");
});

test("requests for /metrics at about the same time share one rendered text", async () => {
  const metrics = createMetrics(undefined, { okMs: 600_000, failureMs: 600_000, timeoutMs: 600_000 });
  await using other = await startApiUnderTest({ metrics, databaseUrl: api.databaseUrl });
  let renderings = 0;
  other.metrics.polledGauge({ name: "reports_renderings", help: "Renderings." }, () => [{ value: ++renderings }]);
  const scrapes = Array.from({ length: 40 }, async () => other.anonymous().get("/metrics").expect(200));
  for (const { text } of await Promise.all(scrapes)) expect(text).toContain("reports_renderings ");
  expect(renderings).toBe(1);
});

test("/metrics contains the numbers of open and waiting database calls", async () => {
  // After its time limit, `/metrics` omits the gauges whose own database calls wait until the test releases the connections.
  const metrics = createMetrics(undefined, undefined, 200);
  await using other = await startApiUnderTest({ metrics, databaseUrl: api.databaseUrl });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const calls = Array.from({ length: 30 }, async () => other.database.query(async () => held));
  const pool = async (): Promise<number[]> => {
    const { body: text } = await other.metrics.render();
    return ["open", "waiting"].map((what) =>
      Number(new RegExp(`^reports_${what}_database_calls (\\d+)$`, "m").exec(text)?.[1]),
    );
  };
  await waitFor(async () => (await pool())[0]! >= 30, { what: "all calls to be open" });
  const [open, waiting] = await pool();
  expect(waiting).toBeGreaterThan(0);
  expect(waiting).toBeLessThan(open!);
  release();
  await Promise.all(calls);
  await waitFor(async () => (await pool())[1] === 0, { what: "no call to wait" });
});
