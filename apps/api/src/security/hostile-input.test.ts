import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { toFileName } from "@reports/core/report";
import { ownedCollections } from "@reports/db";
import { measureReachableBytes, createTestCaseDivider, isFullTestRun } from "@reports/testing";
import { afterEach, afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { z } from "zod";
import { startApiUnderTest, createTestToken, builtInReportAuthorities } from "../test/api-under-test.ts";
import { testJwtSecret } from "../test/config-under-test.ts";
import { testDomainBody, testProxyBody } from "../test/inventory-bodies.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";
import { maxProblemBytes, openHostileClient, type HostileClient, type HostileRequest } from "../test/hostile-client.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";
import type { RawClientResponse } from "../test/raw-client.ts";

function corpus(name: string): readonly unknown[] {
  return JSON.parse(readFileSync(new URL(`../test/corpora/${name}.json`, import.meta.url), "utf8")) as unknown[];
}

const texts = (name: string): readonly string[] => corpus(name) as readonly string[];

/** Returns a different share of the hostile texts for each parameter or field. In CI, it returns all texts each time, which takes minutes. */
const shareForNext = createTestCaseDivider();
/**
 * Selects a share of the texts even in CI, for fields that an earlier body has declared in the same way. CI tests the earlier field with all texts.
 * Other runs test only the earlier field.
 */
const shareForRepeatedField = createTestCaseDivider(false);

const allAuthorities = [
  ...builtInReportAuthorities,
  "may:see/methods",
  "REGISTRY_READ",
  "REGISTRY_WRITE",
  "REPORTS_ADMIN",
  "WEBHOOKS_WRITE",
];
const canary = "canary-password-that-must-not-be-logged";
const unknownId = "018f0000-0000-7000-8000-00000000dead";
const counts = new Map<string, number>();

let api: ApiUnderTest;
let client: HostileClient;
let authorization: string;
let reportId: string;
let proxyId: string;
let recordIds: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startApiUnderTest({ reportTypes: await loadTestReportTypes() });
  authorization = `Bearer ${await createTestToken(allAuthorities)}`;
  client = await openHostileClient(api.listener, { Authorization: authorization });
  reportId = idOf(await post("/v1/reports", { reportType: "PROXY", format: "csv" }));
  proxyId = idOf(await post("/v1/proxies", testProxyBody));
  recordIds = await makeRecords();
});
afterEach(() => void readLog());
afterAll(async () => {
  const { requests, largestProblem, maxCpuTimeRatio } = client.costs();
  process.stdout.write(
    `hostile input: ${requests} requests, problems of at most ${largestProblem} bytes, at most ${maxCpuTimeRatio.toFixed(1)} times a plain refusal\n`,
  );
  await client[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const each = [...counts].map(([name, count]) => `${name} ${count}`).join(", ");
  process.stdout.write(`hostile input: ${total} cases (${each})\n`);
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}): HostileRequest => ({
  method: "GET",
  path,
  headers,
});

function posted(path: string, body: unknown): HostileRequest {
  return { method: "POST", path, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

async function post(path: string, body: unknown): Promise<RawClientResponse> {
  return client.send(posted(path, body));
}

const scheduleBody = { name: "Yearly", reportType: "PROXY", cron: "0 0 1 1 *" };

async function makeRecords(): Promise<typeof recordIds> {
  const kept = idOf(await post("/v1/reports", { reportType: "PROXY", format: "csv", keepRows: true }));
  const fileId = (await api.succeed(kept, "name\n")).file!.id;
  const link = (await post(`/v1/reports/${kept}/files/${fileId}/links`, {})).body as { id: string; url: string };
  const schedule = idOf(await post("/v1/report-schedules", scheduleBody));
  const webhook = idOf(await post("/v1/webhooks", { url: "https://receiver.example/", events: ["report.failed"] }));
  return {
    "/v1/reports/{id}": kept,
    "/v1/reports/{id}/files/{fileId}": fileId,
    "/v1/reports/{id}/files/{fileId}/links/{linkId}": link.id,
    "/v1/links/{token}": link.url.split("/").at(-1)!,
    "/v1/report-types/{reportType}": "PROXY",
    "/v1/report-types/{reportType}/filters/{filter}": "method",
    "/v1/report-schedules/{id}": schedule,
    "/v1/report-schedules/{id}/fires/{fireId}": idOf(await post(`/v1/report-schedules/${schedule}/fires`, {})),
    "/v1/webhooks/{id}": webhook,
    "/v1/webhooks/{id}/deliveries/{deliveryId}": idOf(
      await post(`/v1/webhooks/${webhook}/deliveries`, { type: "webhook.test" }),
    ),
    "/v1/proxies/{id}": proxyId,
    "/v1/proxies/{id}/domains/{domainId}": idOf(await post(`/v1/proxies/${proxyId}/domains`, testDomainBody)),
    "/problems/{slug}": "not-ready",
    ...Object.fromEntries(
      await Promise.all(
        ownedCollections.map(async ({ definition: { name, example } }) => [
          `/v1/${name}/{id}`,
          idOf(await post(`/v1/${name}`, example)),
        ]),
      ),
    ),
  };
}

/** Returns a path with the IDs of existing records. Only the parameter that ends at `except.end` is replaced by `except.text`. */
function recordPath(path: string, except?: { readonly end: number; readonly text: string }): string {
  return path.replaceAll(/\{\w+\}/g, (name, start: number) => {
    const end = start + name.length;
    if (end === except?.end) return except.text;
    // The values of this filter come from the database. None of the built-in report types has such a filter, so the path names a type of the test.
    if (path.slice(end).startsWith("/filters/")) return "ACCESS_METHOD";
    const id = recordIds[path.slice(0, end)];
    if (id === undefined) throw new Error(`Of ${path.slice(0, end)} nothing was made.`);
    return id;
  });
}

const idOf = ({ body }: RawClientResponse): string => (body as { id: string }).id;

async function statusOf(path: string): Promise<number> {
  return (await client.send(get(path))).status;
}

function count(name: string, cases: number): void {
  counts.set(name, (counts.get(name) ?? 0) + cases);
}

function describeUnexpectedStatus(what: string, status: number, allowed: readonly number[]): string | null {
  return allowed.includes(status) ? null : `${what} was answered with ${status}`;
}

function failure(what: string, status: number): string | null {
  return status < 500 ? null : `${what} was answered with ${status}`;
}

function queries(): readonly { readonly path: string; readonly names: readonly string[] }[] {
  return api.endpoints
    .filter(({ method, query }) => method === "GET" && query !== undefined)
    .map(({ path, query }) => ({
      path: recordPath(path),
      names: Object.keys(query!.shape),
    }));
}

test("the endpoints of these hostile tests answer harmless requests as expected", async () => {
  for (const { method, path, query } of api.endpoints.filter((each) => each.method === "GET")) {
    const isOfType = query !== undefined && Object.hasOwn(query.shape, "reportType") && path.startsWith("/v1/report");
    const id = path.endsWith("/download") ? `&id=${recordIds["/v1/reports/{id}"]!}` : "";
    const needed = isOfType ? `?reportType=PROXY${id}` : path === "/v1/schedule-times" ? "?cron=0+6+*+*+*" : "";
    const status = await statusOf(`${recordPath(path)}${needed}`);
    expect([method, path, status]).toEqual([method, path, path === "/v1/report" ? 202 : 200]);
  }
  for (const { method, path, body } of bodyEndpoints()) {
    const headers = { "Content-Type": body!.mediaTypes[0]! };
    const { status } = await client.send({ method, path: recordPath(path), headers, body: '{"nothing":1}' });
    expect([method, path, status]).toEqual([method, path, 422]);
  }
});

const bodyEndpoints = (): readonly Endpoint[] => api.endpoints.filter(({ body }) => body !== undefined);

/** Reports whether a query parameter accepts free text. The API refuses a wrong value of any other parameter before it uses the value. */
async function acceptsFreeText(path: string, name: string, names: readonly string[]): Promise<boolean> {
  const type = path.startsWith("/v1/report") && names.includes("reportType") ? "reportType=PROXY&" : "";
  return (await statusOf(`${path}?${type}${name}=text`)) < 400;
}

function readLog(): number {
  const lines = api.lines.splice(0).map((line) => JSON.stringify(line));
  const token = authorization.slice("Bearer ".length);
  const secrets = [canary, Buffer.from(`:${canary}`).toString("base64").slice(4, 30), token, testJwtSecret];
  expect(lines.filter((line) => /\p{Cc}/u.test(line) || secrets.some((secret) => line.includes(secret)))).toEqual([]);
  return lines.length;
}

async function inventory() {
  const [row] = await api.sql`
    select (select count(*) from proxies) as proxies, (select count(*) from domains) as domains, (select count(*) from users) as users`;
  return row;
}

describe("SQL", () => {
  test("every query parameter treats SQL as a value or refuses it", async () => {
    const payloads = texts("sql");
    const before = await inventory();
    for (const { path, names } of queries()) {
      for (const name of names) {
        const some = (await acceptsFreeText(path, name, names))
          ? shareForNext(payloads, 32)
          : payloads.slice(0, isFullTestRun ? 8 : 1);
        const cases = some.map((payload) => {
          const query = new URLSearchParams();
          if (path.startsWith("/v1/report") && names.includes("reportType") && name !== "reportType")
            query.set("reportType", "PROXY");
          query.set(name, payload);
          return { ...get(`${path}?${query.toString()}`), payload };
        });
        count("sql", cases.length);
        await client.sendAll(cases, ({ payload }, { status, body }) => {
          expect(failure(`${path} ${name} ${payload}`, status)).toBeNull();
          const isSearch = status === 200 && path.startsWith("/v1/proxies") && !["%", "_"].includes(payload);
          expect({ path, name, payload, found: isSearch ? (body as unknown[]).length : 0 }).toMatchObject({ found: 0 });
        });
      }
    }
    expect(await inventory()).toEqual(before);
  }, 480_000);

  test("every filter in a body treats SQL as a value or refuses it", async () => {
    const before = await inventory();
    const filters = shareForNext(texts("sql"), 24).flatMap((payload) => [
      payload,
      { q: payload },
      { [payload]: "x" },
      { name: [payload] },
    ]);
    const cases = filters.flatMap((searchParam) => [
      posted("/v1/reports", { reportType: "PROXY", format: "csv", searchParam }),
      { ...posted(recordPath("/v1/report-schedules/{id}"), { ...scheduleBody, searchParam }), method: "PUT" },
    ]);
    count("sql", cases.length);
    await client.sendAll(cases, ({ body }, { status }) => {
      expect(describeUnexpectedStatus(String(body), status, [201, 202, 422])).toBeNull();
    });
    expect(await inventory()).toEqual(before);
  }, 480_000);
});

test("path traversal, wrong IDs and invalid encodings in a path get a 4xx", async () => {
  const withIds = api.endpoints.filter(({ path }) => path.includes("{") && path.startsWith("/v1"));
  const cases = withIds.flatMap(({ path, method }) =>
    [...path.matchAll(/\{\w+\}/g)].flatMap(({ 0: { length }, index }) =>
      shareForNext(texts("traversal"), 24).map((text) => ({
        method,
        path: recordPath(path, { end: index + length, text }),
        headers: { "If-Match": '"none"' },
      })),
    ),
  );
  count("traversal", cases.length);
  await client.sendAll(cases, ({ method, path }, { status }) => {
    // For POST, PUT and PATCH, the API may report the missing body before the unknown ID.
    expect(describeUnexpectedStatus(`${method} ${path}`, status, [400, 404, 405, 412, 415])).toBeNull();
  });
});

test("bodies with prototype pollution, repeated keys or deep nesting get a 4xx", async () => {
  const deep = "[".repeat(90_000);
  const nested = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
  for (const endpoint of bodyEndpoints()) {
    const path = recordPath(endpoint.path);
    // An empty body counts as hostile only if the endpoint requires a body.
    const bodies = texts("pollution").filter((body) => body !== "" || endpoint.body!.isOptional !== true);
    const cases = [...shareForNext(bodies, 16), deep, nested].map((body) => ({
      method: endpoint.method,
      path,
      headers: { "Content-Type": endpoint.body!.mediaTypes[0]! },
      body,
    }));
    count("pollution", cases.length);
    await client.sendAll(cases, ({ body }, { status }) => {
      expect(
        describeUnexpectedStatus(`${endpoint.operationId} ${body.slice(0, 60)}`, status, [400, 415, 422]),
      ).toBeNull();
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  }
});

test("the API refuses a compressed body before it decompresses it", async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const cases = ["gzip", "deflate", "br", "zstd", "gzip, gzip", "x-gzip"].map((coding) => ({
    method: "POST",
    path: "/v1/reports",
    headers: { "Content-Type": "application/json", "Content-Encoding": coding },
    body: bomb,
  }));
  count("decompression", cases.length);
  await client.sendAll(cases, (_, { status }) => expect(status).toBe(415));
});

test("the API refuses repeated, misspelt and unsuitable parameters", async () => {
  const before = (await api.countRows()).reports;
  const cases = texts("duplicates").map((path) => get(path));
  count("parameters", cases.length);
  await client.sendAll(cases, ({ path }, { status }) =>
    expect(describeUnexpectedStatus(path, status, [400])).toBeNull(),
  );
  const many = Array.from({ length: 3_000 }, (_, index) => `p${index}=1`)
    .join("&")
    .slice(0, 14_000);
  expect(await statusOf(`/v1/proxies?${many}`)).toBe(400);
  expect((await api.countRows()).reports).toBe(before);
});

describe("empty elements of a list in a header", () => {
  interface Effect {
    readonly request: HostileRequest;
    readonly header: string;
    readonly element: string;
    readonly prefix?: string;
    seen(answer: RawClientResponse): unknown;
    readonly expected: unknown;
  }

  async function effects(): Promise<readonly Effect[]> {
    const id = idOf(await post("/v1/reports", { reportType: "PROXY", format: "csv", title: "Listed" }));
    await api.succeed(id, "abc");
    const report = get(`/v1/reports/${id}`);
    const { headers } = await client.send(report);
    const file = get(`/v1/report/download?reportType=PROXY&id=${id}`, { Accept: "*/*" });
    const status = ({ status: seen }: RawClientResponse): unknown => seen;
    const etag = headers.etag!;
    const fileTag = (await client.send(file)).headers.etag!;
    const patch = { ...posted(`/v1/proxies/${proxyId}`, { description: "" }), method: "PATCH" };
    const coded = (coding: string) => ({ header: "Content-Encoding", element: coding, request: patch, seen: status });
    return [
      { header: "If-None-Match", element: etag, request: report, seen: status, expected: 304 },
      { header: "If-None-Match", element: '"other"', request: report, seen: status, expected: 200 },
      { header: "If-Match", element: fileTag, request: file, seen: status, expected: 200 },
      { header: "If-Match", element: '"other"', request: patch, seen: status, expected: 412 },
      { header: "Accept", element: "text/csv", request: get("/v1/proxies"), seen: status, expected: 406 },
      { header: "Accept", element: "application/json", request: get("/v1/proxies"), seen: status, expected: 200 },
      { header: "Range", prefix: "bytes=", element: "1-1", request: file, seen: ({ text }) => text, expected: "b" },
      {
        header: "Prefer",
        element: "wait=0",
        request: report,
        seen: (answer) => answer.headers["preference-applied"],
        expected: "wait=0",
      },
      {
        header: "Accept-Encoding",
        element: "gzip",
        request: get("/openapi.json"),
        seen: (answer) => answer.headers["content-encoding"],
        expected: "gzip",
      },
      { ...coded("identity"), expected: 201 },
      { ...coded("gzip"), expected: 415 },
    ];
  }

  const withHeader = ({ request, header, prefix = "" }: Effect, value: string): HostileRequest => ({
    ...request,
    headers: { ...request.headers, [header]: `${prefix}${value}` },
  });

  test("empty elements of a comma-separated header have no effect", async () => {
    for (const effect of await effects()) {
      const values = ["{}", ...shareForNext(texts("empty-elements"), 9)].map((pattern) =>
        pattern.replace("{}", effect.element),
      );
      const cases = values.map((value) => ({ ...withHeader(effect, value), value }));
      count("lists", cases.length);
      await client.sendAll(cases, ({ value }, answer) =>
        expect([effect.header, value, effect.seen(answer)]).toEqual([effect.header, value, effect.expected]),
      );
    }
  });

  test("thousands of empty elements in a header cause no server error", async () => {
    for (const effect of await effects()) {
      const value = `${",".repeat(14_000)}${effect.element}`;
      const { status } = await client.send(withHeader(effect, value));
      count("lists", 1);
      expect(failure(effect.header, status)).toBeNull();
    }
  });
});

function backtracking(length: number): readonly string[] {
  return (corpus("backtracking") as readonly { start?: string; unit: string; end: string }[]).map(
    ({ start = "", unit, end }) => start + unit.repeat(Math.floor(length / unit.length)) + end,
  );
}

interface FieldSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FieldSchema>>;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly allOf?: readonly FieldSchema[];
}

function fieldsOf(schema: FieldSchema, definitions: FieldSchema["$defs"]): readonly (readonly [string, FieldSchema])[] {
  const referenced = definitions?.[schema.$ref?.slice("#/$defs/".length) ?? ""];
  const alternatives = [schema.anyOf, schema.oneOf, schema.allOf, referenced && [referenced]];
  return [
    ...Object.entries(schema.properties ?? {}),
    ...alternatives.flatMap((each = []) => each.flatMap((one) => fieldsOf(one, definitions))),
  ];
}

function schemasByPath(body: FieldSchema): ReadonlyMap<string, readonly FieldSchema[]> {
  const fields = fieldsOf(body, body.$defs).flatMap(([name, inner]) => [
    [name, inner] as const,
    ...fieldsOf(inner, body.$defs).map(([innerName, innermost]) => [`${name}.${innerName}`, innermost] as const),
  ]);
  return new Map(
    [...Map.groupBy(fields, ([path]) => path)].map(([path, found]) => [path, found.map(([, schema]) => schema)]),
  );
}

describe("texts that make regular expressions backtrack", () => {
  const testedFields = new Set<string>();
  const textParts = isFullTestRun ? 12 : 24;
  test("a parameter that could cause regex backtracking costs no more CPU than others", async () => {
    for (const { path, names } of queries()) {
      for (const name of names) {
        const type = names.includes("reportType") && name !== "reportType" ? "reportType=PROXY&" : "";
        // Percent-encoding makes a text up to six times as long. At 2,400 characters, the URL and the headers still fit into the limit of 16 KiB.
        const cases = shareForNext(backtracking(2_400), 32).map((text) =>
          get(`${path}?${type}${name}=${encodeURIComponent(text)}`),
        );
        count("backtracking", cases.length);
        await client.sendAll(cases, (_, { status }) => expect(failure(name, status)).toBeNull());
      }
    }
  }, 240_000);

  test("a header that could cause regex backtracking costs no more CPU than others", async () => {
    const headers = [
      "Accept",
      "If-None-Match",
      "If-Match",
      "Range",
      "If-Range",
      "Prefer",
      "Last-Event-ID",
      "traceparent",
      "X-Request-Id",
      "X-Forwarded-For",
      "Idempotency-Key",
      "Content-Type",
      "Authorization",
    ];
    const sendable = backtracking(14_000).filter((value) => /^[\x20-\x7e\t]*$/.test(value));
    for (const header of headers) {
      const cases = shareForNext(sendable, 12).map((value) => get(`/v1/reports/${reportId}`, { [header]: value }));
      count("backtracking", cases.length);
      await client.sendAll(cases, (_, { status }) => expect(failure(header, status)).toBeNull());
    }
  }, 120_000);

  test.each(["POST", "PUT", "PATCH"])(
    "a %s body that could cause regex backtracking costs no more CPU than others",
    async (sentBy) => {
      const fieldless: string[] = [];
      for (const { path, method, operationId, body } of bodyEndpoints().filter((each) => each.method === sentBy)) {
        const url = recordPath(path);
        const schema = z.toJSONSchema(body!.schema, { io: "input", unrepresentable: "any" }) as FieldSchema;
        const fields = schemasByPath(schema);
        if (fields.size === 0) fieldless.push(operationId);
        const asBody = (content: string) => ({
          method,
          path: url,
          headers: { "Content-Type": body!.mediaTypes[0]! },
          body: content,
        });
        const wholes = shareForNext(backtracking(120_000), 32).map(asBody);
        const type = fields.has("reportType") ? { reportType: "PROXY" } : {};
        const parts = [...fields].flatMap(([fieldPath, schemas]) => {
          const [field, innerField] = fieldPath.split(".") as [string, string?];
          // With a pattern of quadratic time, a text of this length takes hundreds of times as long as a refusal.
          const values = backtracking(field === "reportType" ? 1_000 : 20_000);
          // Two bodies declare the same field if its path and its schemas are equal. A `$ref` in a schema names an OpenAPI component, and each name
          // stands for one component.
          const declaration = JSON.stringify([fieldPath, schemas]);
          const isRepeated = testedFields.has(declaration);
          if (isRepeated && !isFullTestRun) return [];
          const share = isRepeated ? shareForRepeatedField : shareForNext;
          testedFields.add(declaration);
          // The body of a schedule has fifty nested fields, so each of them gets only one text.
          return share(values, innerField === undefined ? textParts : values.length).map((text) =>
            asBody(JSON.stringify({ ...type, [field]: innerField === undefined ? text : { [innerField]: text } })),
          );
        });
        count("backtracking", wholes.length + parts.length);
        await client.sendAll(wholes, (_, { status }) => {
          expect(describeUnexpectedStatus(url, status, [400, 422])).toBeNull();
        });
        await client.sendAll(parts, (sent, { status }) => {
          expect(failure(`${method} ${path} ${sent.body.slice(0, 60)}`, status)).toBeNull();
        });
      }
      expect(fieldless.toSorted()).toEqual(sentBy === "POST" ? ["rotateWebhookSecret", "runReportSchedule"] : []);
    },
    240_000,
  );
});

test("hostile report titles are refused, or harmless in file names, headers and logs", async () => {
  for (const title of shareForNext(texts("text"), 4)) {
    const started = await post("/v1/reports", { reportType: "PROXY", format: "csv", title });
    count("text", 1);
    expect(describeUnexpectedStatus(JSON.stringify(title), started.status, [202, 422])).toBeNull();
    if (started.status === 422) continue;
    const report = (await api.reports.find(idOf(started)))!;
    await api.succeed(report.id, "name\n", "csv", toFileName(report, "csv"));
    const { headers, status } = await client.send(get(`/v1/report/download?reportType=PROXY&id=${report.id}`));
    expect(status).toBe(200);
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[A-Za-z0-9 ._()+,-]+"(; filename\*=UTF-8''[A-Za-z0-9%._~!#$&+^`|-]+)?$/,
    );
    expect(decodeURIComponent(headers["content-disposition"]!)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/u);
    expect(headers["content-security-policy"]).toContain("sandbox");
    expect(headers["x-content-type-options"]).toBe("nosniff");
  }
});

test("a caller's text cannot add a log line, and no log line contains a secret", async () => {
  for (const text of texts("text")) {
    const printable = text.replaceAll(/[^\x20-\x7e]/g, "");
    const encoded = encodeURIComponent(text.toWellFormed());
    const basic = Buffer.from(`${text.toWellFormed()}:${canary}`).toString("base64");
    const cases = [
      ...shareForNext(
        [{ ...get(`/v1/proxies?q=${encoded}`, { Authorization: `Basic ${basic}` }), checksPassword: true }],
        4,
      ),
      get(`/${encoded}`, { "User-Agent": printable }),
      get("/v1/proxies", { "X-Request-Id": printable, "X-Forwarded-For": printable }),
    ];
    count("logs", cases.length);
    await client.sendAll(cases, (_, { headers }) => {
      expect(headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    });
  }
  expect(api.lines.some(({ msg }) => msg === "forged")).toBe(false);
  expect(readLog()).toBeGreaterThan(2 * texts("text").length);
});

test("every forged token gets the same 401 response", async () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const keys = { secret: testJwtSecret, empty: "", guessed: "guessed", none: null } as const;
  const now = Math.floor(Date.now() / 1000);
  const answers = new Set<string>();
  let tooOld = 0;
  for (const { header, key, claims = {} } of corpus("jwt") as readonly {
    header: object;
    key: keyof typeof keys;
    claims?: Record<string, unknown>;
  }[]) {
    const given = {
      iss: "https://issuer.example",
      sub: "mallory",
      iat: now,
      exp: now + 300,
      authorities: allAuthorities,
      ...claims,
    };
    if (given["filler" as keyof typeof given] !== undefined) Object.assign(given, { filler: "x".repeat(9_000) });
    const payload = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
    const signed = `${encode(header)}.${encode(payload)}`;
    const secret = keys[key];
    const signature =
      secret === null
        ? ""
        : createHmac(JSON.stringify(header).includes("HS512") ? "sha512" : "sha256", secret)
            .update(signed)
            .digest("base64url");
    const forged = get("/v1/proxies", { Authorization: `Bearer ${signed}.${signature}` });
    const { status, body } = await client.send(forged);
    count("jwt", 1);
    expect(status).toBe(401);
    // The message that a token is too old is allowed only for tokens with a valid signature.
    if (key === "secret" && (body as { detail: string }).detail.startsWith("The token was issued more than")) tooOld++;
    else answers.add(JSON.stringify({ ...(body as object), requestId: "" }));
  }
  expect([answers.size, tooOld]).toEqual([1, 1]);
});

/**
 * Returns requests of the corpora with a long mark in each part that callers choose. Each pass uses another mark, so that a leak of any part
 * grows in memory by the length of the mark per request.
 */
function markedRequests(mark: string): readonly HostileRequest[] {
  const share = createTestCaseDivider();
  const encoded = share(texts("sql"), 2).map((payload) => encodeURIComponent(`${mark}${payload}`));
  const printable = share(texts("text"), 2).map((payload) => `${mark}${payload.replaceAll(/[^\x20-\x7e]/g, "")}`);
  const json = { "Content-Type": "application/json" };
  return [
    ...encoded.flatMap((payload, index) => [
      get(`/v1/proxies?q=${payload}`),
      [
        get(`/v1/proxies?${payload}=1`),
        get(`/v1/domains?cursor=${payload}`),
        get(`/${payload}`),
        get(`/v1/report-schedules?owner=${payload}`),
        get(`/v1/webhooks?cursor=${payload}`),
      ][index % 5]!,
      [get(`/v1/reports?sort=${payload}`), posted("/v1/reports", { reportType: "PROXY", [payload]: 1 })][index % 2]!,
    ]),
    ...printable.flatMap((text, index) => [
      [get("/v1/proxies", { Authorization: `Bearer ${text}` }), get("/v1/proxies", { "X-Forwarded-For": text })][
        index % 2
      ]!,
      get(`/v1/reports/${unknownId}`, { "If-None-Match": text, Prefer: text, Accept: text, "User-Agent": text }),
      { ...posted("/v1/reports", { reportType: text }), headers: { ...json, "Idempotency-Key": text } },
    ]),
  ];
}

/** Maximum number of bytes per request that may stay in memory. Each marked part of a request is longer. */
const maxRetainedBytes = 600;
const memoryPasses = isFullTestRun ? 6 : 4;

test("hostile requests do not increase the memory of the API permanently", async () => {
  const retained: number[] = [];
  let heapBytes = 0;
  for (let pass = 0; pass < memoryPasses; pass++) {
    const cases = markedRequests(`${pass}`.repeat(2_000));
    count("memory", cases.length);
    await client.sendAll(cases, ({ path }, { status }) => expect(failure(path, status)).toBeNull());
    readLog();
    const before = heapBytes;
    heapBytes = await measureReachableBytes();
    retained.push((heapBytes - before) / cases.length);
  }
  // The first passes fill caches of limited size. A leak grows in every pass, so the pass with the smallest growth counts.
  const least = Math.min(...retained.slice(2));
  process.stdout.write(
    `hostile input: a request leaves ${retained.slice(1).map(Math.round).join(", ")} bytes behind\n`,
  );
  expect(least).toBeLessThan(maxRetainedBytes);
});

test("a smuggling attempt gets one refusal, and the connection is closed", async () => {
  const refusals = [400, 413, 431, 505];
  const smuggled = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";
  for (const { name, head, body } of corpus("smuggling") as readonly { name: string; head: string[]; body: string }[]) {
    const socket = connect(client.port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", () => undefined);
    const auth = `Authorization: ${authorization}\r\nContent-Type: application/json`;
    socket.write(`${head.join("\r\n")}\r\n${auth}\r\n\r\n${body}${smuggled}`);
    await once(socket, "close");
    const answer = Buffer.concat(chunks).toString();
    count("smuggling", 1);
    expect(answer.length).toBeLessThan(maxProblemBytes);
    const answers = [...answer.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => Number(status));
    expect({ name, answers }).toEqual({
      name,
      answers: [expect.toSatisfy((status) => refusals.includes(status as number))],
    });
  }
});

test("a request without Host gets a 400 problem", async () => {
  const socket = connect(client.port, "127.0.0.1");
  socket.write("GET /health/live HTTP/1.1\r\n\r\n");
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toMatchObject({
    code: "malformed-request",
    requestId: /^X-Request-Id: (.+)$/im.exec(answer)![1],
  });
});
