import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGateway, GatewayError, ReportFailedError, type Gateway } from "@reports/client";
import { builtInRegistrations } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { createTestCaseDivider, waitFor } from "@reports/testing";
import { afterAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, createTestToken } from "./test/api-under-test.ts";
import { startListenerUnderTest } from "./test/event-stream-reader.ts";
import { testDomainBody, testProxyBody } from "./test/inventory-bodies.ts";

const allAuthorities = [
  ...builtInReportAuthorities,
  "REGISTRY_READ",
  "REGISTRY_WRITE",
  "REPORTS_ADMIN",
  "WEBHOOKS_WRITE",
];
const content = "name\r\nedge-1\r\n";

// The API starts at import, because the test cases are generated from its endpoints. This report type has no preview: its rows are objects, and no
// package contains the code that reads them.
const objects = defineReportTypes([
  {
    authority: "REPORT_PROXY",
    definition: {
      type: "OBJECTS",
      version: 1,
      title: "Objects",
      columns: [
        { key: "name", title: "Name", kind: "text" },
        { key: "tags", title: "Tags", kind: "list" },
      ],
      filters: [{ name: "health", operator: "in", value: "text", columns: ["name"], description: "Any." }],
      rows: { kind: "objects", rows: async function* () {} },
    },
  },
]);
const methodRows = { view: "pg_catalog.pg_am", column: "amname" } as const;
const values = defineReportTypes([
  {
    authority: "REPORT_PROXY",
    definition: {
      type: "METHODS",
      version: 1,
      title: "Access methods",
      columns: [{ key: "name", title: "Name", kind: "text" }],
      filters: [
        {
          name: "method",
          operator: "in",
          value: "text",
          columns: ["name"],
          valuesFrom: methodRows,
          description: "Any.",
        },
      ],
      rows: {
        kind: "view",
        view: methodRows.view,
        id: methodRows.column,
        columns: { name: { column: methodRows.column, type: "text" } },
      },
    },
  },
]);
const reportTypes = [...builtInRegistrations.reportTypes, ...objects.reportTypes, ...values.reportTypes];
const api = await startApiUnderTest({ reportTypes });
const limited = await startApiUnderTest({
  reportTypes,
  limits: { requestsPerMinute: 1 },
  databaseUrl: api.databaseUrl,
});
const cutOff = await startApiUnderTest({
  reportTypes,
  databaseUrl: api.databaseUrl,
  apiDatabaseUrl: async () => "postgres://nobody@127.0.0.1:1/nothing",
});
const [server, limitedServer, cutOffServer] = [
  await startListenerUnderTest(api.listener),
  await startListenerUnderTest(limited.listener),
  await startListenerUnderTest(cutOff.listener),
];
const folder = await mkdtemp(join(tmpdir(), "client-"));
await api.addUser("cleo", "correct horse", allAuthorities);
const tokens = {
  allAuthorities: await createTestToken(allAuthorities),
  nobody: await createTestToken([]),
  reader: await createTestToken(builtInReportAuthorities, "bob"),
};
const credentials = { name: "cleo", password: "correct horse" };

afterAll(async () => {
  for (const each of [server, limitedServer, cutOffServer, limited, cutOff, api]) await each[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const baseUrlOf = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}`;

function gatewayWith(options: { readonly token?: string; readonly fetch?: typeof fetch } = {}): Gateway {
  const { token = tokens.allAuthorities, ...rest } = options;
  return createGateway({ baseUrl: baseUrlOf(server), token: () => token, ...rest });
}
const gateway = gatewayWith();

interface Ids {
  readonly report: string;
  readonly open: string;
  readonly file: string;
  readonly link: string;
  readonly rendition: string;
  readonly proxy: string;
  readonly domain: string;
  readonly schedule: string;
  readonly fire: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly event: string;
}

const scheduleBody = { name: "Yearly", reportType: "PROXY", cron: "0 0 1 1 *", options: { format: "csv" } } as const;
const hookBody = { url: "https://receiver.example/hook", events: ["report.failed"] } as const;
let made = 0;
const newProxy = () => ({ ...testProxyBody, name: `p-${++made}`, address: `p-${made}.example.net` });

async function makeRecords(): Promise<Ids> {
  const proxy = (await gateway.proxies.create(newProxy())).record.id;
  const domain = (await gateway.proxies.domains(proxy).create(testDomainBody)).record.id;
  const report = (await gateway.reports.start({ reportType: "PROXY", format: "csv", keepRows: true })).id;
  const ended = await api.succeed(report, content);
  const open = (await gateway.reports.start({ reportType: "PROXY" })).id;
  const file = ended.file!.id;
  // Each call uses a new caller, so that no caller exceeds its limits of links and webhooks.
  const maker = gatewayWith({ token: await createTestToken(allAuthorities, `maker-${made}`) });
  const link = (await maker.reports.links(report, file).create()).id;
  // The schedule belongs to alice, like the token `nobody`. So a call with that token gets the expected 403. Another principal would get 404.
  const schedule = (await gateway.schedules.create(scheduleBody)).record.id;
  const { id: fire } = await gateway.schedules.run(schedule);
  const { id: webhook } = await maker.webhooks.create(hookBody);
  const { id: delivery, eventId: event } = await maker.webhooks.test(webhook);
  const rendition = (await maker.reports.files(report).start({ format: "json" })).id;
  return { report, open, file, link, rendition, proxy, domain, schedule, fire, webhook, delivery, event };
}

async function drain(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

interface Method {
  readonly operation: string;
  /** Whether the client repeats the call after a failure. */
  readonly isRepeated: boolean;
  /** Whether a successful call removes records or ends a report, so that no other method can use these records. */
  readonly isFinal: boolean;
  readonly call: (gateway: Gateway, ids: Ids) => Promise<unknown>;
}

const methodKind =
  (kind: Pick<Method, "isRepeated" | "isFinal">) =>
  (operation: string, call: Method["call"]): Method => ({ operation, call, ...kind });
const read = methodKind({ isRepeated: true, isFinal: false });
const write = methodKind({ isRepeated: false, isFinal: false });
const end = methodKind({ isRepeated: false, isFinal: true });

const methods: Readonly<Record<string, Method>> = {
  caller: read("readCaller", async (called) => called.caller()),
  "reports.start": read("createReport", async ({ reports }) => reports.start({ reportType: "PROXY", format: "csv" })),
  "reports.get": read("readReport", async ({ reports }, { report }) => reports.get(report)),
  "reports.wait": read("readReport", async ({ reports }, { report }) => reports.wait(report)),
  "reports.list": read("listReports", async ({ reports }) => drain(reports.list({ requestedBy: "me" }))),
  "reports.rename": write("patchReport", async ({ reports }, { report }) => reports.rename(report, "Other")),
  "reports.cancel": end("patchReport", async ({ reports }, { open }) => reports.cancel(open)),
  "reports.remove": end("deleteReport", async ({ reports }, { report }) => reports.remove(report)),
  "reports.events": read("listReportEvents", async ({ reports }, { report }) => drain(reports.events(report))),
  "reports.download": read("downloadReportFile", async ({ reports }, ids) => {
    const { file } = await knownReport;
    const report = { ...(await knownReport), id: ids.report, file: { ...file!, id: ids.file } };
    const path = join(folder, `${randomUUID()}.csv`);
    await reports.download(report, path);
    if ((await readFile(path, "utf8")) !== content) throw new Error("The file holds something else.");
  }),
  "reports.files.list": read("listReportFiles", async ({ reports }, { report }) => reports.files(report).list()),
  "reports.files.start": read("createReportFile", async ({ reports }, { report }) =>
    reports.files(report).start({ format: "csv", columns: ["name"] }),
  ),
  "reports.files.remove": end("deleteReportFile", async ({ reports }, ids) =>
    reports.files(ids.report).remove(ids.rendition),
  ),
  "reports.links.create": write("createDownloadLink", async ({ reports }, { report, file }) =>
    reports.links(report, file).create({ expiresInSeconds: 60 }),
  ),
  "reports.links.list": read("listDownloadLinks", async ({ reports }, { report, file }) =>
    reports.links(report, file).list(),
  ),
  "reports.links.revoke": end("revokeDownloadLink", async ({ reports }, { report, file, link }) =>
    reports.links(report, file).revoke(link),
  ),
  "reportTypes.list": read("listReportTypes", async ({ reportTypes }) => reportTypes.list()),
  "reportTypes.get": read("readReportType", async ({ reportTypes }, { report }) =>
    reportTypes.get((await isKnown(report)) ? "PROXY" : "NONE"),
  ),
  "reportTypes.rows": read("listReportRows", async ({ reportTypes }, { report }) =>
    reportTypes.rows((await isKnown(report)) ? "PROXY" : "NONE", {
      searchParam: { health: ["UP", "DOWN"] },
      columns: ["name", "tags"],
      sort: ["-name"],
      limit: 5,
    }),
  ),
  "reportTypes.filterValues": read("listFilterValues", async ({ reportTypes }, { report }) =>
    reportTypes.filterValues((await isKnown(report)) ? "METHODS" : "NONE", "method"),
  ),
  "reportTypes.estimates": read("listReportEstimates", async ({ reportTypes }, { report }) =>
    reportTypes.estimates((await isKnown(report)) ? "PROXY" : "NONE", {
      searchParam: "edge",
      format: "csv",
      csvBom: false,
      groupBy: null,
    }),
  ),
  "lanes.list": read("listLanes", async ({ lanes }) => lanes.list()),
  "workers.list": read("listWorkers", async ({ workers }) => workers.list()),
  "proxies.list": read("listProxies", async ({ proxies }) => drain(proxies.list({ q: "p-1" }))),
  "proxies.get": read("readProxy", async ({ proxies }, ids) => proxies.get(ids.proxy)),
  "proxies.create": write("createProxy", async ({ proxies }) => proxies.create(newProxy())),
  "proxies.replace": write("replaceProxy", async ({ proxies }, ids) => proxies.replace(ids.proxy, newProxy())),
  "proxies.patch": write("patchProxy", async ({ proxies }, ids) => proxies.patch(ids.proxy, { region: "eu" })),
  "proxies.remove": end("deleteProxy", async ({ proxies }, ids) => proxies.remove(ids.proxy)),
  "proxies.domains.list": read("listProxyDomains", async ({ proxies }, ids) =>
    drain(proxies.domains(ids.proxy).list()),
  ),
  "proxies.domains.get": read("readProxyDomain", async ({ proxies }, ids) =>
    proxies.domains(ids.proxy).get(ids.domain),
  ),
  "proxies.domains.create": write("createProxyDomain", async ({ proxies }, ids) =>
    proxies.domains(ids.proxy).create({ ...testDomainBody, hostname: `d-${++made}.example` }),
  ),
  "proxies.domains.replace": write("replaceProxyDomain", async ({ proxies }, ids) =>
    proxies.domains(ids.proxy).replace(ids.domain, { ...testDomainBody, upstreamPort: 81 }),
  ),
  "proxies.domains.patch": write("patchProxyDomain", async ({ proxies }, ids) =>
    proxies.domains(ids.proxy).patch(ids.domain, { upstreamPort: 82 }),
  ),
  "proxies.domains.remove": end("deleteProxyDomain", async ({ proxies }, ids) =>
    proxies.domains(ids.proxy).remove(ids.domain),
  ),
  "schedules.list": read("listReportSchedules", async ({ schedules }) => drain(schedules.list({ owner: "me" }))),
  "schedules.get": read("readReportSchedule", async ({ schedules }, { schedule }) => schedules.get(schedule)),
  "schedules.create": write("createReportSchedule", async ({ schedules }) => {
    // The schedule is deleted again, because a caller can have at most 50 schedules.
    const { record } = await schedules.create(scheduleBody);
    await schedules.remove(record.id);
  }),
  "schedules.replace": write("replaceReportSchedule", async ({ schedules }, { schedule }) =>
    schedules.replace(schedule, { ...scheduleBody, name: "Other" }),
  ),
  "schedules.patch": write("patchReportSchedule", async ({ schedules }, { schedule }) =>
    schedules.patch(schedule, { name: "Other" }),
  ),
  "schedules.pause": write("patchReportSchedule", async ({ schedules }, { schedule }) => schedules.pause(schedule)),
  "schedules.resume": write("patchReportSchedule", async ({ schedules }, { schedule }) => schedules.resume(schedule)),
  "schedules.remove": end("deleteReportSchedule", async ({ schedules }, { schedule }) => schedules.remove(schedule)),
  "schedules.run": read("runReportSchedule", async ({ schedules }, { schedule }) => schedules.run(schedule)),
  "schedules.fires": read("listReportScheduleFires", async ({ schedules }, { schedule }) =>
    drain(schedules.fires(schedule, { outcome: "STARTED" })),
  ),
  "schedules.times": read("listScheduleTimes", async ({ schedules }) =>
    schedules.times({ cron: "0 6 * * *", timezone: "Europe/Berlin", startsAt: null }),
  ),
  "schedules.fire": read("readReportScheduleFire", async ({ schedules }, { schedule, fire }) =>
    schedules.fire(schedule, fire),
  ),
  "webhooks.create": write("createWebhook", async ({ webhooks }) => {
    // The webhook is deleted again, because a caller can have at most 20 webhooks.
    const { id } = await webhooks.create(hookBody);
    await webhooks.remove(id);
  }),
  "webhooks.get": read("readWebhook", async ({ webhooks }, { webhook }) => webhooks.get(webhook)),
  "webhooks.getWithEtag": read("readWebhook", async ({ webhooks }, { webhook }) => webhooks.getWithEtag(webhook)),
  "webhooks.list": read("listWebhooks", async ({ webhooks }) => drain(webhooks.list({ status: "ACTIVE" }))),
  "webhooks.patch": write("patchWebhook", async ({ webhooks }, { webhook }) =>
    webhooks.patch(webhook, { reportTypes: ["PROXY"] }),
  ),
  "webhooks.pause": write("patchWebhook", async ({ webhooks }, { webhook }) => webhooks.pause(webhook)),
  "webhooks.resume": write("patchWebhook", async ({ webhooks }, { webhook }) => webhooks.resume(webhook)),
  "webhooks.remove": end("deleteWebhook", async ({ webhooks }, { webhook }) => webhooks.remove(webhook)),
  "webhooks.rotateSecret": write("rotateWebhookSecret", async ({ webhooks }, { webhook }) =>
    webhooks.rotateSecret(webhook),
  ),
  "webhooks.deliveries": read("listWebhookDeliveries", async ({ webhooks }, { webhook }) =>
    drain(webhooks.deliveries(webhook, { status: ["PENDING", "FAILED"], limit: 1 })),
  ),
  "webhooks.delivery": read("readWebhookDelivery", async ({ webhooks }, { webhook, delivery }) =>
    webhooks.delivery(webhook, delivery),
  ),
  "webhooks.redeliver": write("createWebhookDelivery", async ({ webhooks }, { webhook, event }) =>
    webhooks.redeliver(webhook, event),
  ),
  "webhooks.test": write("createWebhookDelivery", async ({ webhooks }, { webhook }) => webhooks.test(webhook)),
  "domains.list": read("listDomains", async ({ domains }) => drain(domains.list({ servesHost: "a.example" }))),
};

const isKnown = async (report: string): Promise<boolean> => (await api.reports.find(report)) !== null;
const knownReport = makeRecords().then(async ({ report }) => gateway.reports.get(report));

/** Returns a `fetch` that changes each request. It removes Retry-After from responses, so that the client repeats a request without a wait. */
function interceptRequests(
  change: (
    url: URL,
    headers: Headers,
    body: unknown,
    count: number,
  ) => { readonly url?: URL; readonly body?: string } | void,
): typeof fetch {
  let count = 0;
  return async (input, init) => {
    const url = new URL(input);
    const headers = new Headers(init?.headers);
    const changed = change(url, headers, init?.body, ++count) ?? {};
    const answer = await fetch(changed.url ?? url, { ...init, headers, body: changed.body ?? init?.body ?? null });
    const answered = new Headers(answer.headers);
    answered.delete("Retry-After");
    return new Response(answer.body, { status: answer.status, headers: answered });
  };
}

const header = (name: string, value: string): typeof fetch =>
  interceptRequests((_, headers) => headers.set(name, value));
const sendFirstRequestsTo = ({ port }: { readonly port: number }, times: number): typeof fetch =>
  interceptRequests((url, _headers, _body, count) => {
    if (count <= times) url.port = String(port);
  });

/** Operations that answer 404, not 403, to callers without the authority. A test must cause their 403 in another way. */
const hiddenFromOthers: ReadonlySet<string> = new Set([
  "createReportFile",
  "createDownloadLink",
  "revokeDownloadLink",
  "deleteReportSchedule",
  "runReportSchedule",
]);

const causes: Readonly<
  Record<number, (method: Method) => Promise<{ readonly gateway?: Gateway; readonly ids?: Ids }>>
> = {
  304: async () => ({ gateway: gatewayWith({ fetch: header("If-None-Match", "*") }) }),
  400: async () => ({
    gateway: gatewayWith({ fetch: interceptRequests((url) => url.searchParams.set("nonsense", "1")) }),
  }),
  401: async () => ({ gateway: gatewayWith({ token: "wrong" }) }),
  403: async ({ operation }) => ({
    gateway: gatewayWith({
      // For these operations, a missing authority causes a 404. So a header of a browser's cross-site request causes the 403.
      ...(hiddenFromOthers.has(operation) && { fetch: header("Sec-Fetch-Site", "cross-site") }),
      ...(!hiddenFromOthers.has(operation) && {
        token: /^(patch|delete)Report(File)?$/.test(operation) ? tokens.reader : tokens.nobody,
      }),
      // Without the authority of the report type, an owner may pause the schedule, but not rename it.
      ...(operation === "patchReportSchedule" && { fetch: interceptRequests(() => ({ body: '{"name":"Another"}' })) }),
    }),
  }),
  404: async () => ({
    ids: {
      report: randomUUID(),
      open: randomUUID(),
      file: randomUUID(),
      link: randomUUID(),
      rendition: randomUUID(),
      proxy: randomUUID(),
      domain: randomUUID(),
      schedule: randomUUID(),
      fire: randomUUID(),
      webhook: randomUUID(),
      delivery: randomUUID(),
      event: randomUUID(),
    },
  }),
  406: async () => ({ gateway: gatewayWith({ fetch: header("Accept", "image/png") }) }),
  // Another test calls all methods with deleted records to get a 410. So this test changes nothing in a call for 410.
  410: async () => ({}),
  412: async () => ({ gateway: gatewayWith({ fetch: header("If-Match", '"other"') }) }),
  413: async () => ({
    gateway: gatewayWith({ fetch: interceptRequests(() => ({ body: JSON.stringify({ name: "a".repeat(300_000) }) })) }),
  }),
  415: async () => ({ gateway: gatewayWith({ fetch: header("Content-Type", "text/plain") }) }),
  422: async ({ operation }) => ({
    // The DELETE of a report's main file is a 422. Only additional formats can be deleted separately.
    ...(operation === "deleteReportFile" && { ids: { ...unchangedRecords, rendition: unchangedRecords.file } }),
    gateway: gatewayWith({
      fetch:
        operation === "listReportRows"
          ? interceptRequests((url) => void (url.pathname = url.pathname.replace("PROXY", "OBJECTS")))
          : interceptRequests(() => ({ body: '{"nonsense":1}' })),
    }),
  }),
};

const declared = new Map(
  api.endpoints.map(({ operationId, responses }) => [operationId, Object.keys(responses).map(Number)]),
);
const cases = Object.entries(methods).map(([name, method]) => ({
  name,
  method,
  // The client's `reports.wait` waits again after a 304, so its caller never gets that status.
  failures: declared
    .get(method.operation)!
    .filter((status) => Object.hasOwn(causes, status) && !(name === "reports.wait" && status === 304)),
}));

const unchangedRecords = await makeRecords();
const changedRecords = await makeRecords();

/** Records for the methods that remove records or end a report. Removing a parent would also remove its children, so the two have their own records. */
const endedChildren = await makeRecords();
const endedParents = await makeRecords();
const endsChild = ({ operation }: Method) =>
  ["patchReport", "deleteReportFile", "revokeDownloadLink", "deleteProxyDomain"].includes(operation);

const deleted = await makeRecords();
await gateway.reports.remove(deleted.report);
await gateway.reports.remove(deleted.open);
await gateway.proxies.remove(deleted.proxy);
await gateway.schedules.remove(deleted.schedule);
await gateway.webhooks.remove(deleted.webhook);

async function failureOf(called: Promise<unknown>): Promise<unknown> {
  return called.then(
    () => "succeeded",
    (error: unknown) => (error instanceof GatewayError && error.requestId !== null ? error.status : error),
  );
}

/** Outside of CI, each method gets another sixth of its error statuses. */
const shareForNextMethod = createTestCaseDivider();

describe("methods of the client", () => {
  test.each(cases)("the client's method $name succeeds", async ({ method }) => {
    const ended = endsChild(method) ? endedChildren : endedParents;
    const shared = method.isRepeated ? unchangedRecords : changedRecords;
    expect(await failureOf(method.call(gateway, method.isFinal ? ended : shared))).toBe("succeeded");
  });

  test.each(cases)(
    "the client's $name rejects with 410 for a deleted record if that is declared",
    async ({ method, failures }) => {
      expect(await failureOf(method.call(gateway, deleted))).toBe(failures.includes(410) ? 410 : "succeeded");
    },
  );

  test.each(cases)(
    "the client's $name rejects with every error status that its endpoint declares",
    async ({ method, failures }) => {
      const statuses = shareForNextMethod(
        failures.filter((status) => status !== 410),
        6,
      );
      const outcomes = statuses.map(async (status) => {
        const changed = await causes[status]!(method);
        return failureOf(method.call(changed.gateway ?? gateway, changed.ids ?? unchangedRecords));
      });
      expect(await Promise.all(outcomes)).toEqual(statuses);
    },
  );

  test("the client retries reads after 429 and 503, but not writes", async () => {
    // Outside of CI, only the first of every eight methods is tried, because all methods share the client's code for retries.
    const retried = createTestCaseDivider()(cases, 8);
    const outcomes = retried.map(async ({ name, method }) => {
      // The limit is one request per minute and caller. This request uses it up.
      const token = await createTestToken(allAuthorities, `limited-${name}`);
      const headers = { Authorization: `Bearer ${token}` };
      await (await fetch(`${baseUrlOf(limitedServer)}/v1/report-types`, { headers })).body?.cancel();
      const found = [limitedServer, cutOffServer].map(async (at) =>
        failureOf(method.call(gatewayWith({ token, fetch: sendFirstRequestsTo(at, 1) }), unchangedRecords)),
      );
      return [name, await Promise.all(found)] as const;
    });
    const expected = retried.map(({ name, method }) => [
      name,
      method.isRepeated ? ["succeeded", "succeeded"] : [429, 503],
    ]);
    expect(await Promise.all(outcomes)).toEqual(expected);
  });

  test("the tests of the client cover every status that an endpoint declares", () => {
    const tried = new Set([...Object.keys(causes).map(Number), 200, 201, 202, 204, 206, 416, 429, 503]);
    const left = Object.values(methods).flatMap(({ operation }) =>
      declared.get(operation)!.filter((one) => !tried.has(one)),
    );
    expect(left).toEqual([]);
  });

  test("the client covers all /v1 endpoints except tokens, links/{token} and legacy ones", () => {
    const reached = new Set(Object.values(methods).map(({ operation }) => operation));
    const operations = api.endpoints
      .filter(({ path }) => path.startsWith("/v1/"))
      .map(({ operationId }) => operationId);
    const left = operations.filter((operation) => !reached.has(operation));
    expect(left.toSorted()).toEqual(["createToken", "downloadByLink", "downloadReport", "startReport"]);
  });
});

test("run() starts a report, reports its progress, and saves the file", async () => {
  const path = join(folder, "proxies.csv");
  const seen: string[] = [];
  const running = gateway.reports.run(
    { reportType: "PROXY", format: "csv", title: "Run" },
    {
      to: path,
      onProgress: ({ report, download }) => seen.push(download === null ? report.status : `${download.bytesDone}`),
    },
  );
  let id = "";
  await waitFor(async () => seen.includes("QUEUED"), { what: "the report to be waited for" });
  for await (const report of gateway.reports.list({ status: "QUEUED" })) if (report.title === "Run") ({ id } = report);
  const following = drain(gateway.reports.events(id));
  await api.succeed(id, content);
  expect(await running).toMatchObject({ id, status: "SUCCEEDED" });
  expect(await readFile(path, "utf8")).toBe(content);
  expect(seen.slice(-2)).toEqual(["SUCCEEDED", String(content.length)]);
  expect((await following).filter((news) => (news as { kind: string }).kind === "status")).toMatchObject([
    { event: { to: "QUEUED" } },
    { event: { to: "RUNNING" } },
    { event: { to: "SUCCEEDED" } },
  ]);
});

test("run() of a failed report rejects with ReportFailedError and the report's error", async () => {
  const running = gateway.reports.run({ reportType: "PROXY", title: "Fails" }, { to: join(folder, "never") });
  running.catch(() => undefined);
  let id: string | undefined;
  await waitFor(
    async () => {
      for await (const report of gateway.reports.list({ status: "QUEUED" }))
        if (report.title === "Fails") ({ id } = report);
      return id !== undefined;
    },
    { what: "the start" },
  );
  await api.fail(id!);
  await expect(running).rejects.toBeInstanceOf(ReportFailedError);
  await expect(running).rejects.toMatchObject({ error: { code: "INVALID_DATA", retryable: false }, report: { id } });
});

test("starts with the same idempotency key return the same report", async () => {
  const [first, second] = [
    await gateway.reports.start({ reportType: "PROXY" }, { idempotencyKey: "mine" }),
    await gateway.reports.start({ reportType: "PROXY" }, { idempotencyKey: "mine" }),
  ];
  expect(second.id).toBe(first.id);
  await expect(
    gateway.reports.start({ reportType: "PROXY", title: "Other" }, { idempotencyKey: "mine" }),
  ).rejects.toMatchObject({ status: 422, code: "idempotency-key-reused" });
});

test("the client starts, awaits, downloads and removes an additional format", async () => {
  const { id } = await gateway.reports.start({ reportType: "PROXY", format: "csv", keepRows: true });
  await api.succeed(id, content);
  const files = gateway.reports.files(id);
  const started = await files.start({ format: "json", columns: ["name"] });
  expect(started).toMatchObject({ reportId: id, status: "QUEUED", format: "json", size: null });
  const seen: string[] = [];
  const waiting = files.wait(started.id, { onProgress: ({ status }) => seen.push(status) });
  await api.succeed(started.id, "further");
  const ended = await waiting;
  expect([ended.status, ended.size, seen.at(-1)]).toEqual(["SUCCEEDED", 7, "SUCCEEDED"]);
  expect((await files.list()).map((file) => file.format)).toEqual(["csv", "json"]);
  const path = join(folder, "rendition.json");
  await files.download(ended, path);
  expect(await readFile(path, "utf8")).toBe("further");
  await expect(files.download(started, path)).rejects.toThrow("wait for it first");
  for (const _ of [1, 2]) await files.remove(started.id);
  await expect(files.get(started.id)).rejects.toMatchObject({ status: 410, code: "file-deleted" });
  await expect(files.start({ format: "json", columns: ["nme"] })).rejects.toMatchObject({ status: 422 });
});

test("the client restarts a download after 416 and resumes a broken one", async () => {
  const ids = await makeRecords();
  const report = await gateway.reports.get(ids.report);
  const statuses: number[] = [];
  const faulty: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    if (statuses.length === 0) headers.set("Range", "bytes=900-");
    const answer = await fetch(input, { ...init, headers });
    statuses.push(answer.status);
    if (statuses.length !== 2) return answer;
    const pieces = [(await answer.bytes()).subarray(0, 5)];
    const broken = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new TypeError("terminated"));
        else controller.enqueue(piece);
      },
    });
    return new Response(broken, { headers: answer.headers });
  };
  const path = join(folder, "ranges.csv");
  await gatewayWith({ fetch: faulty }).reports.download(report, path);
  expect(await readFile(path, "utf8")).toBe(content);
  expect(statuses).toEqual([416, 200, 206]);
});

test("the client's writes with ifMatch reject with 412 after another caller's change", async () => {
  const { record, etag } = await gateway.proxies.create(newProxy());
  const moved = await gateway.proxies.replace(record.id, { ...record, port: 8443 }, { ifMatch: etag });
  expect(moved.record).toMatchObject({ ...record, port: 8443, updatedAt: expect.any(String) });
  await expect(gateway.proxies.patch(record.id, { port: 81 }, { ifMatch: etag })).rejects.toMatchObject({
    status: 412,
  });
  const patched = await gateway.proxies.patch(record.id, { port: 81, region: null }, { ifMatch: moved.etag });
  expect(patched.record.port).toBe(81);
  await gateway.proxies.remove(record.id, { ifMatch: patched.etag });
  await gateway.proxies.remove(record.id);
  await expect(gateway.proxies.get(record.id)).rejects.toMatchObject({ status: 410, code: "record-deleted" });
});

test("the client's GatewayError contains the code and the issues of the problem", async () => {
  const wrong = gateway.proxies.create({ ...newProxy(), port: 0 });
  await expect(wrong).rejects.toMatchObject({
    status: 422,
    code: "invalid-record",
    issues: [{ pointer: "/port", code: expect.any(String), message: expect.stringContaining("65535") }],
  });
});

test("the client reads a list page by page or item by item", async () => {
  const { id } = (await gateway.proxies.create(newProxy())).record;
  const domains = gateway.proxies.domains(id);
  for (let n = 0; n < 5; n++) await domains.create({ ...testDomainBody, hostname: `page-${n}.example` });
  const query = { sort: ["-hostname"], limit: 2, count: "exact" } as const;
  const pages = (await drain(domains.list(query).pages())) as { items: { hostname: string }[]; total: number | null }[];
  expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
  expect(pages[0]!.total).toBe(5);
  expect(((await drain(domains.list(query))) as { hostname: string }[]).map(({ hostname }) => hostname)).toEqual(
    [4, 3, 2, 1, 0].map((n) => `page-${n}.example`),
  );
});

describe("credentials of a user", () => {
  test("the client exchanges a name and a password for a token", async () => {
    const cleo = createGateway({ baseUrl: baseUrlOf(server), credentials });
    expect((await cleo.reports.start({ reportType: "PROXY" })).requestedBy).toBe("basic:cleo");
  });

  test.each([
    [400, interceptRequests((url) => url.searchParams.set("nonsense", "1"))],
    [401, undefined],
    [406, header("Accept", "image/png")],
  ])("a call of the client fails with %s if its request for a token does", async (status, fetch) => {
    const password = status === 401 ? "wrong" : credentials.password;
    const cleo = createGateway({ baseUrl: baseUrlOf(server), credentials: { ...credentials, password }, fetch });
    await expect(cleo.reportTypes.list()).rejects.toMatchObject({ status });
  });

  test("the client retries the token request after a 503", async () => {
    const cleo = createGateway({
      baseUrl: baseUrlOf(server),
      credentials,
      fetch: sendFirstRequestsTo(cutOffServer, 1),
    });
    expect(await cleo.reportTypes.list()).toHaveLength(reportTypes.length);
  });
});
