import { ownedCollections } from "@reports/db";
import { createTestCaseDivider, otherOwnerPrincipals } from "@reports/testing";
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { startApiUnderTest, createTestToken, type ApiUnderTest } from "../test/api-under-test.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";

const unreachableDatabaseUrl = "postgres://nobody@127.0.0.1:1/nothing";

// The API starts at import, because the test cases are generated from its endpoints.
const reportTypes = await loadTestReportTypes();
const api = await startApiUnderTest({ reportTypes });
const limited = await startApiUnderTest({
  reportTypes,
  limits: { requestsPerMinute: 1 },
  databaseUrl: api.databaseUrl,
});
const cutOff = await startApiUnderTest({
  reportTypes,
  databaseUrl: api.databaseUrl,
  apiDatabaseUrl: async () => unreachableDatabaseUrl,
  checks: { database: async () => Promise.reject(new Error("away")) },
});
const allAuthorities = [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"];
const reportType = api.catalogue.list().at(-1)!.type;
const token = await createTestToken(allAuthorities);
const otherToken = await createTestToken(api.authorities.all, "bob");
const powerless = await createTestToken([]);
const basic = `Basic ${Buffer.from("carol:a-long-password").toString("base64")}`;
await api.addUser("carol", "a-long-password", allAuthorities);
afterAll(async () => {
  for (const each of [cutOff, limited, api]) await each[Symbol.asyncDispose]();
});

interface Call {
  readonly at: ApiUnderTest;
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

let count = 0;

async function plainCall(endpoint: Endpoint, status?: number): Promise<Call> {
  count += 1;
  const ids = await idsFor(endpoint, status);
  const example = endpoint.body?.example as Record<string, unknown> | undefined;
  const unique =
    endpoint.path.startsWith("/v1/proxies") && (endpoint.path.endsWith("/v1/proxies") || endpoint.method === "PUT")
      ? { ...example, name: `n-${count}`, port: count }
      : example;
  const { name: _, port: _2, ...nameless } = unique ?? {};
  const body =
    example === undefined ? undefined : JSON.stringify(endpoint.path.includes("domains") ? nameless : unique);
  const query: Record<string, string> =
    !("in" in endpoint.access) || endpoint.access.in !== "query"
      ? (neededQueries[endpoint.operationId] ?? {})
      : {
          reportType,
          ...(endpoint.access.kind === "report" ? { id: ids["id"]! } : { title: `t${count}` }),
        };
  const authorization =
    endpoint.access.kind === "password"
      ? { Authorization: basic }
      : endpoint.access.kind === "public"
        ? {}
        : { Authorization: `Bearer ${token}` };
  const mediaType = endpoint.method === "POST" ? "application/json" : endpoint.body?.mediaTypes[0];
  const type = mediaType === undefined ? {} : { "Content-Type": mediaType };
  return { at: api, ids, query, headers: { ...authorization, ...type }, body };
}

const neededQueries: Readonly<Record<string, Record<string, string>>> = { listScheduleTimes: { cron: "0 6 * * *" } };

const asAdmin = await api.as(allAuthorities);

/** Records for calls that fail, by endpoint. Such a call changes nothing, so several cases can share the records. */
const unchanged = new Map<Endpoint, Record<string, string>>();

/**
 * Returns the record IDs for a case. A call that succeeds (2xx) may change its records, and a case for 410 deletes them. So both get new records.
 */
async function idsFor(endpoint: Endpoint, status = 200): Promise<Record<string, string>> {
  if (status < 300 || status === 410) return createIds(endpoint);
  const ids = unchanged.get(endpoint) ?? (await createIds(endpoint));
  unchanged.set(endpoint, ids);
  return ids;
}

async function createIds({ path, method }: Endpoint): Promise<Record<string, string>> {
  if (path.startsWith("/v1/proxies/")) {
    const name = `p-${count}`;
    const proxy = { name, kind: "REVERSE", address: `${name}.example.net`, port: 443, protocol: "HTTPS" };
    const { body } = await asAdmin.post("/v1/proxies").send(proxy).expect(201);
    const domain = {
      hostname: "a.example.org",
      upstreamScheme: "HTTP",
      upstreamHost: "h",
      upstreamPort: 80,
      tlsMode: "NONE",
    };
    const child = path.includes("domains")
      ? await asAdmin.post(`/v1/proxies/${body.id}/domains`).send(domain).expect(201)
      : undefined;
    return { id: body.id, domainId: child?.body.id ?? "" };
  }
  if (path.startsWith("/v1/report-schedules")) {
    // Deletes the schedules of earlier cases, because a principal can have at most 50. `unchanged` must not return their IDs.
    unchanged.clear();
    await api.sql`delete from report_schedules where owner <> all (${[...otherOwnerPrincipals]})`;
    const schedule = { name: "s", reportType: "PROXY_DOMAIN", cron: "0 6 * * *" };
    const { body } = await asAdmin.post("/v1/report-schedules").send(schedule).expect(201);
    const fire = path.includes("{fireId}")
      ? await asAdmin.post(`/v1/report-schedules/${body.id}/fires`).send({}).expect(201)
      : undefined;
    return { id: body.id, fireId: fire?.body.id ?? "" };
  }
  if (/^\/v1\/reports?\//.test(path)) {
    const keepRows = path.includes("/files");
    const { body } = await asAdmin.post("/v1/reports").send({ reportType, format: "csv", keepRows }).expect(202);
    if (method !== "GET" && !keepRows) return { id: body.id };
    const report = await api.succeed(body.id, "name\n");
    if (method === "DELETE" && path.endsWith("{fileId}")) return { id: body.id, fileId: await startRendition(body.id) };
    const ids = { id: body.id, fileId: report.file!.id };
    return path.includes("{linkId}") ? { ...ids, linkId: (await makeLink(ids)).id } : ids;
  }
  if (path.startsWith("/v1/webhooks/")) return makeWebhook();
  const plain = ownedCollections.find(({ definition: { name } }) => path === `/v1/${name}/{id}`)?.definition;
  if (plain !== undefined) {
    count += 1;
    const maker = await api.as(allAuthorities, `maker-${count}`);
    const { body } = await maker.post(`/v1/${plain.name}`).send(plain.example).expect(201);
    return { id: body.id };
  }
  if (path === "/v1/links/{token}") {
    const { url } = await makeLink(await createIds({ path: "/v1/reports/{id}", method: "GET" } as Endpoint));
    return { token: url.split("/").at(-1)! };
  }
  if (path.endsWith("/values")) return { reportType: "ACCESS_METHOD", filter: "method" };
  return { reportType: path.endsWith("/rows") ? "PROXY" : reportType, slug: "record-deleted" };
}

/** Creates a link as a new caller, because a caller can have at most 20 links. */
async function makeLink(ids: Readonly<Record<string, string>>): Promise<{ id: string; url: string }> {
  count += 1;
  const maker = await api.as(allAuthorities, `maker-${count}`);
  const { body } = await maker.post(`/v1/reports/${ids["id"]}/files/${ids["fileId"]}/links`).send({}).expect(201);
  return body as { id: string; url: string };
}

async function startRendition(id: string): Promise<string> {
  const { body } = await asAdmin.post(`/v1/reports/${id}/files`).send({ format: "csv" }).expect(202);
  return body.id as string;
}

async function makeWebhook(): Promise<Record<string, string>> {
  count += 1;
  const maker = await api.as(allAuthorities, `maker-${count}`);
  const hook = { url: "https://receiver.example/hook", events: ["report.failed"] };
  const { id } = (await maker.post("/v1/webhooks").send(hook).expect(201)).body as { id: string };
  const test = await maker.post(`/v1/webhooks/${id}/deliveries`).send({ type: "webhook.test" }).expect(202);
  return { id, deliveryId: (test.body as { id: string }).id };
}

async function remove(call: Call, { path }: Endpoint): Promise<void> {
  const collection = path.split("/")[2] === "report" ? "reports" : path.split("/")[2];
  const child = path.includes("{domainId}") ? `/domains/${call.ids["domainId"]}` : "";
  await asAdmin.delete(`/v1/${collection}/${call.ids["id"]}${child}`).expect(204);
}

type Change = (call: Call, endpoint: Endpoint) => Promise<Partial<Call>> | Partial<Call>;
const withHeaders =
  (headers: Record<string, string>): Change =>
  ({ headers: before }) => ({ headers: { ...before, ...headers } });

async function queuedReport(): Promise<string> {
  const { body } = await asAdmin.post("/v1/reports").send({ reportType, format: "csv" }).expect(202);
  return body.id as string;
}

const changes: Readonly<Record<number, Change>> = {
  200: () => ({}),
  201: () => ({}),
  204: () => ({}),
  206: withHeaders({ Range: "bytes=0-0" }),
  304: withHeaders({ "If-None-Match": "*" }),
  400: ({ query }) => ({ query: { ...query, nonsense: "1" } }),
  401: ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "Authorization")),
  }),
  403: (call, { access, method }) => {
    const isGuarded =
      method === "GET" ||
      ["authority", "report-type"].includes(access.kind) ||
      (access.kind === "record" && access.of.authority !== undefined) ||
      ("changes" in access && access.changes);
    const lacking = `Bearer ${access.kind === "report" && access.changes ? otherToken : powerless}`;
    const headers = isGuarded ? { Authorization: lacking } : { "Sec-Fetch-Site": "cross-site" };
    return withHeaders(headers)(call, {} as Endpoint);
  },
  404: ({ ids, query }) => ({
    ids: {
      ...Object.fromEntries(Object.keys(ids).map((name) => [name, randomUUID()])),
      slug: "nonsense",
      reportType: "NONE",
    },
    query: "id" in query ? { ...query, id: randomUUID() } : query,
  }),
  406: withHeaders({ Accept: "image/png" }),
  410: async (call, endpoint) => {
    await remove(call, endpoint);
    return {};
  },
  412: withHeaders({ "If-Match": '"other"' }),
  413: () => ({ body: JSON.stringify({ name: "a".repeat(300_000) }) }),
  415: ({ headers }) => ({ body: "{}", headers: { ...headers, "Content-Type": "text/plain" } }),
  416: withHeaders({ Range: "bytes=900-" }),
  422: () => ({ body: '{"nonsense":1}' }),
  429: async ({ headers }) => {
    // Each case uses a new caller. The limit is per minute, and the minute of an earlier caller could end between the two requests.
    const Authorization = `Bearer ${await createTestToken(allAuthorities, `limited-${count}`)}`;
    await limited.anonymous().get("/v1/report-types").set({ Authorization }).expect(200);
    return { at: limited, headers: { ...headers, Authorization } };
  },
  503: () => ({ at: cutOff }),
};

const specialChanges: Readonly<Record<string, Change>> = {
  "startReport 202": () => ({}),
  "createReport 202": () => ({}),
  "createWebhookDelivery 202": () => ({}),
  "downloadReport 202": async ({ query }) => ({ query: { ...query, id: await queuedReport() } }),
  "createReportFile 202": () => ({}),
  "downloadReportFile 202": async ({ ids }) => ({ ids: { ...ids, fileId: await startRendition(ids["id"]!) } }),
  // Requests with a link count towards the limit of the link's creator, who is a new caller each time.
  "downloadByLink 429": async (call, endpoint) => {
    await send({ ...call, at: limited }, endpoint);
    return { at: limited };
  },
  "deleteReportFile 403": withHeaders({ Authorization: `Bearer ${otherToken}` }),
  "deleteReportFile 422": async ({ ids }) => ({
    ids: { ...ids, fileId: (await api.reports.find(ids["id"]!))!.file!.id },
  }),
  "listReportEvents 204": async (call) => {
    const events = await api.reports.listEvents(call.ids["id"]!);
    return withHeaders({ Accept: "text/event-stream", "Last-Event-ID": String(events.at(-1)!.id) })(
      call,
      {} as Endpoint,
    );
  },
  "startReport 422": async (call, endpoint) => {
    const keyed = { ...call, headers: { ...call.headers, "Idempotency-Key": `k${count}` } };
    await send(keyed, endpoint);
    return { ...keyed, query: { ...call.query, title: "another" } };
  },
  // Without the authority of the report type, an owner may pause the schedule, but not rename it.
  "patchReportSchedule 403": (call) => ({
    ...call,
    headers: { ...call.headers, Authorization: `Bearer ${powerless}` },
    body: '{"name":"other"}',
  }),
  // The rows of this type are objects. Without packages, this API cannot preview them.
  "listReportRows 422": ({ ids }) => ({ ids: { ...ids, reportType } }),
  // The caller uses a password, because a bearer token needs no query, so it would work without the database.
  "readCaller 503": (call) => ({ ...withBasic(call), at: cutOff }),
  // The caller uses a password, because an estimate for a bearer token succeeds even without the database.
  "listReportEstimates 503": (call) => ({ ...withBasic(call), at: cutOff }),
  "listScheduleTimes 503": (call) => ({ ...withBasic(call), at: cutOff }),
  "listReportTypes 503": (call) => ({ ...withBasic(call), at: cutOff }),
  "readReportType 503": (call) => ({ ...withBasic(call), at: cutOff }),
};

/** Replaces the token by a password, because only the check of a password needs the database. */
function withBasic({ headers }: Call): Partial<Call> {
  return { headers: { ...headers, Authorization: basic } };
}

/** Cases that need another setup, and the test files that cover them. */
const coveredElsewhere: Readonly<Record<string, string>> = {
  "createToken 429": "routes/tokens.test.ts",
};

async function send(call: Call, { method, path }: Endpoint) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => call.ids[name] ?? randomUUID());
  const request = call.at.anonymous()[method.toLowerCase() as "get"](filled).query(call.query).set(call.headers);
  return call.body === undefined ? request : request.send(call.body);
}

const creating = api.endpoints.filter(({ method }) => method === "POST");
const openApi = (await api.anonymous().get("/openapi.json")).body as {
  readonly paths: Readonly<Record<string, { readonly post?: { readonly parameters?: readonly object[] } }>>;
};

/** Outside of CI, each endpoint gets another fifth of its statuses. */
const shareForNextEndpoint = createTestCaseDivider();
const cases = api.endpoints.flatMap((endpoint) =>
  shareForNextEndpoint(Object.keys(endpoint.responses), 5)
    .map((status) => ({ endpoint, status: Number(status), name: `${endpoint.operationId} ${status}` }))
    .filter(({ name }) => !Object.hasOwn(coveredElsewhere, name)),
);

test.each(api.endpoints.filter(({ responses }) => Object.hasOwn(responses[200]?.headers ?? {}, "ETag")))(
  "$operationId, whose response has an entity tag, supports conditional requests",
  ({ responses, headers = {} }) => {
    expect([responses[304]?.kind, responses[412]?.kind]).toEqual(["empty", "problem"]);
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(["If-None-Match", "If-Match"]));
  },
);

test.each(cases)("a request can cause the declared response $name", async ({ endpoint, status, name }) => {
  const call = await plainCall(endpoint, status);
  const change = specialChanges[name] ?? changes[status];
  expect(change).toBeDefined();
  const changed = await change!(call, endpoint);
  const answer = await send({ ...call, ...changed }, endpoint);
  expect(answer.status).toBe(status);
});

test("the tests of Idempotency-Key cover every POST in the OpenAPI document", async () => {
  const posts = Object.entries(openApi.paths).flatMap(([path, operations]) => ("post" in operations ? [path] : []));
  expect(posts.toSorted()).toEqual(creating.map(({ path }) => path).toSorted());
});

const declaresKey = ({ path }: Endpoint) =>
  JSON.stringify(openApi.paths[path]?.post?.parameters ?? []).includes("Idempotency-Key");

async function sendTwice(endpoint: Endpoint) {
  const call = await plainCall(endpoint);
  const keyed = { ...call, headers: { ...call.headers, "Idempotency-Key": `once-${count}` } };
  return [await send(keyed, endpoint), await send(keyed, endpoint)] as const;
}

test.each(creating.filter(declaresKey))(
  "$operationId returns the same response for the same Idempotency-Key",
  async (endpoint) => {
    const [first, second] = await sendTwice(endpoint);
    expect([201, 202]).toContain(first.status);
    expect(second).toMatchObject({ status: first.status, text: first.text });
    expect(second.headers["idempotency-replayed"]).toBe("true");
  },
);

test.each(creating.filter((endpoint) => !declaresKey(endpoint)))(
  "$operationId answers 400 to an Idempotency-Key, because it does not support one",
  async (endpoint) => {
    const errors = [{ header: "Idempotency-Key", code: "not_supported" }];
    const refused = [400, { code: "idempotency-key-not-supported", errors }];
    expect((await sendTwice(endpoint)).map(({ status, body }) => [status, body as unknown])).toMatchObject([
      refused,
      refused,
    ]);
  },
);
