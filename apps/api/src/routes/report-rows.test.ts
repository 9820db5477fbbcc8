import { builtInRegistrations, type RegisteredReportType } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createDatabase, createWorkerRegistry } from "@reports/db";
import { unrestrictedClaimTerms, installReportTypePackages, waitFor } from "@reports/testing";
import { importReportTypes } from "@reports/type-loader";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApiUnderTest, createTestToken, type ApiUnderTest } from "../test/api-under-test.ts";
import { startListenerUnderTest } from "../test/event-stream-reader.ts";
import { testProxyBody } from "../test/inventory-bodies.ts";

const column = { key: "name", title: "Name", kind: "text" } as const;
const viewOf = (view: string, source?: string) =>
  ({
    kind: "view",
    view,
    id: "name",
    ...(source === undefined ? {} : { source }),
    columns: { name: { column: "name", type: "text" } },
  }) as const;
const define = (type: string, rows: ReturnType<typeof viewOf>) => ({
  authority: "REPORT_OTHER",
  definition: { type, version: 1, title: type, columns: [column], rows },
});
const others = defineReportTypes([
  define("SLOW", viewOf("slow_names")),
  define("GONE", viewOf("gone_names")),
  define("WRITES", viewOf("writing_names")),
  define("FAR", viewOf("names", "far")),
  {
    authority: "REPORT_OTHER",
    definition: {
      type: "OBJECTS",
      version: 1,
      title: "Objects",
      columns: [column],
      rows: { kind: "objects", rows: async function* () {} },
    },
  },
]);

const authorities = ["REPORT_PROXY", "REPORT_OTHER", "REGISTRY_WRITE"];
let api: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest({
    // The database contains no other reports, because estimates use the reports of all owners.
    otherOwners: false,
    reportTypes: [...builtInRegistrations.reportTypes, ...others.reportTypes],
    limits: { previewsPerMinute: 8 },
  });
  await api.sql.unsafe(`
    create view slow_names as select name from (values ('a')) as given (name) where pg_sleep(600)::text is not null;
    create table written (name text);
    create function write_one() returns text language sql volatile as $$ insert into written values ('x') returning name $$;
    create view writing_names as select write_one() as name;`);
  const writer = await api.as(authorities, "writer");
  for (const port of [1, 2, 3])
    await writer
      .post("/v1/proxies")
      .send({ ...testProxyBody, name: `edge-${port}`, port, tags: ["b", "a"], health: port === 2 ? "DOWN" : "UP" })
      .expect(201);
});
afterAll(async () => api[Symbol.asyncDispose]());

const previews = async (): Promise<number> => {
  const [row] = await api.sql`select count(*)::int as running from pg_stat_activity
    where datname = current_database() and application_name = 'reports-previews' and state = 'active'`;
  return row!["running"] as number;
};
const untilPreviews = async (expected: number) =>
  waitFor(async () => (await previews()) === expected, { what: `${expected} previews` });

describe("GET /v1/report-types/{type}/rows", () => {
  test("a preview applies filters, columns, sort and limit, uses quota and is audited", async () => {
    const agent = await api.as(authorities, "reader");
    const { body, headers } = await agent
      .get("/v1/report-types/PROXY/rows")
      .query({ "searchParam[health]": "UP", columns: "port,name,tags,nextCertNotAfter", sort: "-name", limit: 1 })
      .expect(200);
    expect(body).toEqual([{ port: 3, name: "edge-3", tags: ["b", "a"], nextCertNotAfter: null }]);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["ratelimit"]).toContain('"previews";r=7');
    const lines = api.lines.filter(({ audit, action }) => audit === true && action === "report-type.preview");
    expect(lines).toMatchObject([{ outcome: "done", status: 200, reportType: "PROXY", recordId: null }]);
    expect(JSON.stringify(lines)).not.toContain("health");
    expect((await agent.get("/v1/report-types/PROXY/rows").expect(200)).body).toHaveLength(3);
  });

  test.each([
    ["limit=101", "limit must be a whole number from 1 to 100."],
    ["limit=0", "limit must be a whole number from 1 to 100."],
    ["limit=1&limit=2", "limit takes one value, and 2 were given."],
    ["format=csv", 'There is no parameter "format".'],
    ["reportType=PROXY", 'There is no parameter "reportType".'],
    ["columns=name,nonsense", 'columns has no "nonsense".'],
    ["searchParam[nonsense]=1", '"nonsense"'],
  ])("the API answers 400 to a preview with %s", async (query, message) => {
    const agent = await api.as(authorities, "mistaken");
    const { body } = await agent.get(`/v1/report-types/PROXY/rows?${query}`).expect(400);
    expect(body).toMatchObject({ code: "invalid-parameters" });
    expect(JSON.stringify(body)).toContain(message.replaceAll('"', '\\"'));
  });

  test("a preview gets a 422 for an unknown source, a missing view or missing code", async () => {
    const agent = await api.as(authorities, "chooser");
    const { body } = await agent.get("/v1/report-types").expect(200);
    expect(
      Object.fromEntries(body.map((type: { reportType: string; preview: boolean }) => [type.reportType, type.preview])),
    ).toEqual({ PROXY: true, PROXY_DOMAIN: true, SLOW: true, GONE: true, WRITES: true, FAR: false, OBJECTS: false });
    for (const type of ["OBJECTS", "FAR", "GONE"]) {
      const answer = await agent.get(`/v1/report-types/${type}/rows`).expect(422);
      expect(answer.body).toMatchObject({ code: "preview-not-available" });
      expect(answer.text).not.toMatch(/gone_names|select/);
    }
  });

  test("a preview cannot write, even if its view calls a function that writes", async () => {
    const agent = await api.as(authorities, "careless");
    await agent.get("/v1/report-types/WRITES/rows").expect(503);
    expect(await api.sql`select * from written`).toEqual([]);
  });

  test("above the limit of previews per minute, invalid previews get 400, and others 429", async () => {
    const agent = await api.as(authorities, "eager");
    for (let time = 1; time <= 8; time++) await agent.get("/v1/report-types/PROXY/rows?limit=1").expect(200);
    const refused = await agent.get("/v1/report-types/PROXY/rows?limit=1").expect(429);
    expect(refused.body).toMatchObject({ code: "too-many-previews" });
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    await agent.get("/v1/report-types/PROXY/rows?limit=x").expect(400);
    await agent.get("/v1/report-types/PROXY/estimates").expect(200);
  });

  test("a slow preview gets a 503, and its query is cancelled in Postgres", async () => {
    await using hasty = await startApiUnderTest({
      reportTypes: others.reportTypes,
      databaseUrl: api.databaseUrl,
      previewDeadlineMs: 300,
    });
    const agent = await hasty.as(authorities);
    // On a busy machine, a preview can fail with another code if the connection is still being opened at the deadline.
    const { status, headers } = await waitFor(
      async () => {
        const answer = await agent.get("/v1/report-types/SLOW/rows");
        return answer.body.code === "preview-too-slow" && answer;
      },
      { what: "a slow preview" },
    );
    expect([status, headers["retry-after"]]).toEqual([503, "2"]);
    await untilPreviews(0);
  });

  test("the query of a preview is cancelled when its caller disconnects", async () => {
    await using server = await startListenerUnderTest(api.listener);
    const url = `http://127.0.0.1:${server.port}/v1/report-types/SLOW/rows`;
    const callers = ["one", "two", "three"].map(() => new AbortController());
    const asked = callers.map(async ({ signal }, at) => {
      const headers = { Authorization: `Bearer ${await createTestToken(authorities, `slow-${at}`)}` };
      return fetch(url, { signal, headers }).catch(() => "left");
    });
    // The first two previews use both connections for previews, and the third one waits.
    await untilPreviews(2);
    const agent = await api.as([...authorities, "REGISTRY_READ"], "busy");
    await agent.get("/v1/proxies").expect(200);
    await agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
    callers.forEach((caller) => caller.abort());
    expect(await Promise.all(asked)).toEqual(["left", "left", "left"]);
    await untilPreviews(0);
  });
});

describe("previews of object rows", () => {
  const source = `
    import { defineReportTypes, StoreUnavailableError } from "@reports/core/report-type";
    const define = (type, rows) => ({
      authority: "REPORT_OTHER",
      definition: {
        type, version: 1, title: type, columns: [{ key: "name", title: "Name", kind: "text" }],
        filters: [{ name: "name", operator: "in", value: "text", columns: ["name"], description: "Names." }],
        rows: { kind: "objects", rows },
      },
    });
    export default defineReportTypes([
      define("CALLER", async function* ({ requester, searchParam }) {
        for (;;) yield { name: JSON.stringify([requester, searchParam]) };
      }),
      define("FAILS", () => { throw new Error("secret cause"); }),
      define("DOWN", () => { throw new StoreUnavailableError("secret cause"); }),
      define("LOOPS", () => { for (;;); }),
    ]);`;
  let packages: Awaited<ReturnType<typeof installReportTypePackages>>;
  let types: readonly RegisteredReportType[];
  let own: ApiUnderTest;
  beforeAll(async () => {
    packages = await installReportTypePackages({ acme: source });
    types = await importReportTypes({ modules: ["acme"], directory: packages.directory, builtIn: true });
    own = await startWithPackage();
  });
  afterAll(async () => {
    await own[Symbol.asyncDispose]();
    await packages[Symbol.asyncDispose]();
  });

  const startWithPackage = async (previewDeadlineMs?: number) =>
    startApiUnderTest({
      reportTypes: types,
      typePackages: { modules: ["acme"], directory: packages.directory },
      databaseUrl: api.databaseUrl,
      ...(previewDeadlineMs === undefined ? {} : { previewDeadlineMs }),
    });

  test("a preview calls the code of its report type, and stops it after the row limit", async () => {
    const agent = await own.as(authorities, "ada", "Ada");
    const { body: type } = await agent.get("/v1/report-types/CALLER").expect(200);
    expect(type.preview).toBe(true);
    const { body } = await agent.get("/v1/report-types/CALLER/rows?searchParam[name]=x&limit=2").expect(200);
    const requester = { id: "https://issuer.example|ada", name: "Ada" };
    expect(body).toEqual([1, 2].map(() => ({ name: JSON.stringify([requester, { name: ["x"] }]) })));
    const failed = await agent.get("/v1/report-types/FAILS/rows").expect(422);
    expect(failed.body).toMatchObject({
      code: "preview-not-available",
      detail: "Rows of FAILS cannot be shown. The function that makes them failed. Tell the owner of the report type.",
    });
    expect(own.lines).toContainEqual(
      expect.objectContaining({
        msg: "a preview of object rows failed",
        reportType: "FAILS",
        cause: "secret cause",
      }),
    );
  });

  test("a preview whose data source is unavailable gets a 503 that names its report type", async () => {
    const { body, headers } = await (await own.as(authorities)).get("/v1/report-types/DOWN/rows").expect(503);
    expect(body).toMatchObject({
      code: "dependency-unavailable",
      detail: "The service cannot reach the data source of DOWN at the moment. Try again shortly.",
    });
    expect(headers["retry-after"]).toBe("5");
    const logged = own.lines.filter(({ msg }) => msg === "dependency unavailable");
    expect(JSON.stringify(logged)).toContain("secret cause");
  });

  test("while code of a report type loops in a preview, other previews get 200", async () => {
    await using server = await startListenerUnderTest(own.listener);
    const caller = new AbortController();
    const headers = { Authorization: `Bearer ${await createTestToken(authorities, "ada")}` };
    const url = `http://127.0.0.1:${server.port}/v1/report-types/LOOPS/rows`;
    const looping = fetch(url, { signal: caller.signal, headers }).catch(() => "left");
    const hasOpenPreview = async () => (await own.metrics.render()).body.includes("\nreports_open_previews 1\n");
    await waitFor(hasOpenPreview, { what: "the preview to be open" });
    await (await own.as(authorities, "bob")).get("/v1/report-types/PROXY/rows").expect(200);
    caller.abort();
    expect(await looping).toBe("left");
  });

  test("a preview whose code loops gets 503 after its time limit", async () => {
    await using hasty = await startWithPackage(1_500);
    const { body } = await (await hasty.as(authorities)).get("/v1/report-types/LOOPS/rows").expect(503);
    expect(body).toMatchObject({ code: "preview-too-slow" });
  });
});

describe("GET /v1/report-types/{type}/estimates", () => {
  test("the API returns an estimate per format, with null for unknown values", async () => {
    const agent = await api.as(authorities, "planner");
    const { body } = await agent.get("/v1/report-types/PROXY/estimates?searchParam[health]=UP&format=csv").expect(200);
    expect(body.map(({ format }: { format: string }) => format)).toEqual(["pdf", "xlsx", "csv", "json", "ndjson"]);
    for (const each of body)
      expect(each).toMatchObject({ rows: 2, rowsAre: "EXACT", sizeBytes: null, seconds: null, fits: true });
    const { body: objects } = await agent.get("/v1/report-types/OBJECTS/estimates").expect(200);
    expect(objects[0]).toMatchObject({ rows: null, rowsAre: null, fits: null });
    expect(objects[0].maxRows).toBeGreaterThan(0);
    await agent.get("/v1/report-types/PROXY/estimates?reportType=PROXY").expect(400);
    const { body: compressed } = await agent.get("/v1/report-types/PROXY/estimates?compression=gzip").expect(200);
    expect(compressed).toHaveLength(5);
    await agent.get("/v1/report-types/PROXY/estimates?compression=gzip&format=csv").expect(200);
    await agent.get("/v1/report-types/PROXY/estimates?compression=gzip&format=pdf").expect(400);
    await agent.get("/v1/report-types/PROXY/estimates?compression=lzma").expect(400);
    await agent.get("/v1/report-types/PROXY/estimates?limit=1").expect(400);
  });

  test("the API estimates size and time from at least ten similar reports", async () => {
    const owner = await api.as(authorities, "owner");
    const finish = async (rows: number, bytes: number, seconds: number): Promise<void> => {
      const { body } = await owner.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
      await api.succeed(body.id, "name\n");
      await api.sql`update reports set row_count = ${rows}, file_size_bytes = ${bytes},
        finished_at = started_at + make_interval(secs => ${seconds}) where id = ${body.id}`;
    };
    const csv = async () => {
      const { body } = await owner.get("/v1/report-types/PROXY/estimates?searchParam[health]=UP").expect(200);
      return body.find(({ format }: { format: string }) => format === "csv") as object;
    };
    for (let time = 1; time <= 9; time++) await finish(10, 1_000 * time, 1);
    expect(await csv()).toMatchObject({ rows: 2, sizeBytes: null, seconds: null });
    await finish(10, 5_000, 1);
    // The medians of the earlier reports are 500 bytes per row and 10 rows per second.
    expect(await csv()).toMatchObject({ rows: 2, sizeBytes: 1_000, seconds: 0.2 });
    await Promise.all(Array.from({ length: 30 }, async () => finish(1_000_000, 1_000_000, 1)));
    expect(await csv()).toMatchObject({ rows: 2 });
    const json = (await owner.get("/v1/report-types/PROXY/estimates").expect(200)).body.find(
      ({ format }: { format: string }) => format === "json",
    );
    expect(json).toMatchObject({ rows: 3, sizeBytes: null, seconds: null });
  });
});

describe("the queue", () => {
  test("/v1/lanes and /v1/workers show administrators the queue and its workers", async () => {
    const admin = await api.as(["REPORTS_ADMIN"], "admin");
    const database = createDatabase({ url: api.databaseUrl, max: 1 });
    const registry = createWorkerRegistry(database);
    const identity = { host: "host-1", pid: 1, version: "1.2.3", webhookKeys: [] };
    await registry.heartbeat({ workerId: "w1", ...identity, lanes: ["quick"], servedTypes: { PROXY: 1, CREW: 2 } }, []);
    await registry.heartbeat({ workerId: "w2", ...identity, lanes: ["bulk", "suspect"], servedTypes: {} }, []);
    await registry.heartbeat({ workerId: "dead", ...identity, lanes: ["quick"], servedTypes: {} }, []);
    await api.sql`update worker_heartbeats set beat_at = now() - interval '1 min' where worker_id = 'dead'`;
    await api.sql`update worker_heartbeats set served_types = null where worker_id = 'w2'`;
    const starter = await api.as(authorities, "starter");
    const { body: started } = await starter
      .post("/v1/reports")
      .send({ reportType: "PROXY", format: "csv", searchParam: { q: "secret-search" } })
      .expect(202);
    await api.reports.claim(started.id, { workerId: "w1", leaseMs: 60_000, ...unrestrictedClaimTerms });
    await starter.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);

    const { body: lanes } = await admin.get("/v1/lanes").expect(200);
    expect(lanes.map(({ id, workers }: { id: string; workers: number }) => [id, workers])).toEqual([
      ["quick", 1],
      ["bulk", 1],
      ["suspect", 1],
    ]);
    expect(lanes[0].waiting).toBeGreaterThan(0);
    expect(lanes[0].oldestWaitSeconds).toBeGreaterThan(0);
    expect(lanes[1]).toMatchObject({ waiting: 0, running: 0, oldestWaitSeconds: null });

    const { body: workers, text } = await admin.get("/v1/workers").expect(200);
    const seen = { host: "host-1", version: "1.2.3" };
    expect(workers).toMatchObject([
      { id: "w1", ...seen, lanes: ["quick"], reportTypes: ["CREW", "PROXY"], running: 1 },
      { id: "w2", ...seen, lanes: ["bulk", "suspect"], reportTypes: null, running: 0 },
    ]);
    expect(text).not.toMatch(/secret-search|postgres:|select/i);
    await database.close();
  });
});
