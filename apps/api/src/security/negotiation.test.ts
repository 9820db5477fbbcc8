import { afterAll, expect, test } from "vitest";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { createStaticText } from "../http/static-text.ts";
import { startApiUnderTest, createTestToken } from "../test/api-under-test.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";
import { createPermissionTestLister } from "../test/permission-targets.ts";
import request from "supertest";
import { createTestCaseDivider } from "@reports/testing";

const text = createStaticText("a".repeat(2_000));
const api = await startApiUnderTest({
  reportTypes: await loadTestReportTypes(),
  console: { page: text, files: new Map([["a.js", { contentType: "text/javascript", text }]]), signIn: null },
});
afterAll(async () => api[Symbol.asyncDispose]());
const token = await createTestToken(
  [...api.authorities.all, "REGISTRY_READ", "REGISTRY_WRITE", "REPORTS_ADMIN", "WEBHOOKS_WRITE"],
  "owner",
);
const targetsOf = await createPermissionTestLister(api);
const named: Readonly<Record<string, string>> = {
  "/problems/{slug}": "/problems/query-too-long",
  "/console/{file}": "/console/a.js",
  "/v1/report-types/{reportType}": "/v1/report-types/PROXY",
  "/v1/report-types/{reportType}/filters/{filter}/values": "/v1/report-types/ACCESS_METHOD/filters/method/values",
  "/v1/links/{token}": await makeLink(),
};

async function makeLink(): Promise<string> {
  const owner = await api.as(api.authorities.all, "owner");
  const { body: report } = await owner.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  await api.succeed(report.id, "name\n");
  const { body } = await owner.get(`/v1/reports/${report.id}`).expect(200);
  const link = await owner.post(`/v1/reports/${report.id}/files/${body.file.id}/links`).send({}).expect(201);
  return (link.body as { url: string }).url;
}

const headers: Readonly<Record<string, readonly string[]>> = {
  accept: [
    "text/html",
    "application/json",
    "text/event-stream",
    "application/pdf",
    "text/csv",
    "text/css",
    "*",
    "json",
  ],
  "accept-encoding": ["gzip", "zstd", "identity", "*"],
  "accept-language": ["de", "fr"],
  origin: ["https://elsewhere.example", "null"],
  "sec-fetch-site": ["cross-site", "same-origin", "none"],
  "sec-purpose": ["prefetch"],
  purpose: ["prefetch"],
  prefer: ["wait=0", "respond-async"],
  "user-agent": ["Mozilla/5.0", "curl/8"],
  "idempotency-key": ["a-key", ""],
  "last-event-id": ["1000", "x"],
  "x-forwarded-host": ["elsewhere.example"],
  "x-forwarded-proto": ["https"],
  "access-control-request-method": ["PUT"],
  cookie: ["a=b"],
};

const forNextEndpoint = createTestCaseDivider();

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request. A write gets a body that the API refuses, so that the records stay unchanged for later requests. */
async function send(
  method: string,
  url: string,
  given: Readonly<Record<string, string>>,
  refused?: string,
): Promise<Answer> {
  const agent = request(api.server);
  const plain = {
    "accept-encoding": "identity",
    authorization: method === "POST" && url === "/v1/tokens" ? "" : `Bearer ${token}`,
  };
  const sent = agent[method.toLowerCase() as "get"](url)
    .set({ ...plain, ...given })
    .buffer(true)
    .parse(readStart as never);
  const response = await (refused === undefined ? sent : sent.type("json").send(refused));
  return { status: response.status, headers: response.headers, body: String(response.body) };
}

/** Reads the first bytes of a response and closes the connection, because an event stream does not end by itself. */
function readStart(
  response: NodeJS.ReadableStream & { headers: Record<string, string>; destroy(): void },
  done: (error: Error | null, body: string) => void,
) {
  const chunks: Buffer[] = [];
  const finish = (): void => done(null, Buffer.concat(chunks).toString("base64"));
  response.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (!response.headers["content-type"]?.startsWith("text/event-stream")) return;
    chunks.splice(0);
    response.removeAllListeners("end");
    response.destroy();
    finish();
  });
  response.on("end", finish);
}

const urlOf = (endpoint: Endpoint): string =>
  named[endpoint.path] ?? targetsOf(endpoint).find(({ state }) => state === "active" || state === "none")!.url;
const listOf = (header: string | undefined): readonly string[] => (header ?? "").toLowerCase().split(/,\s*/);

/**
 * Returns the parts of a response that may differ only if Vary lists the header. Most bodies contain times and IDs, so only bodies that are always
 * equal count.
 */
const comparableParts = ({ status, headers: given, body }: Answer, isStable: boolean) =>
  JSON.stringify([
    status,
    given["content-type"],
    given["content-encoding"],
    given["preference-applied"],
    isStable ? body : null,
  ]);

const isPublic = ({ access }: Endpoint) => access.kind === "public";
const reading = api.endpoints.filter(({ method }) => method === "GET");
const writing = api.endpoints.filter(({ method }) => method !== "GET" && method !== "DELETE");
const deleting = api.endpoints.filter(({ method }) => method === "DELETE");

test.each([...reading, ...writing, ...deleting])(
  "Vary of $operationId lists each request header that changes the response",
  async (endpoint) => {
    const { method } = endpoint;
    const url = urlOf(endpoint);
    const refused = endpoint.body?.isOptional === true ? "[]" : undefined;
    const isStable = isPublic(endpoint) && !endpoint.path.startsWith("/health") && endpoint.path !== "/metrics";
    let plain = await send(method, url, {}, refused);
    for (const [name, values] of forNextEndpoint(Object.entries(headers), 12)) {
      // A write is sent again without the header before each comparison, because the previous write may have changed the record.
      if (method !== "GET") plain = await send(method, url, {}, refused);
      for (const value of values) {
        const answer = await send(method, url, { [name]: value }, refused);
        const differs =
          comparableParts(answer, isStable && answer.status < 300) !==
          comparableParts(plain, isStable && answer.status < 300);
        if (!differs) continue;
        for (const each of [plain, answer])
          expect([name, value, each.status, listOf(each.headers["vary"])]).toEqual([
            name,
            value,
            each.status,
            expect.arrayContaining([name]),
          ]);
      }
    }
  },
);

test.each(reading)("HEAD of $operationId has the header fields of GET", async (endpoint) => {
  const url = urlOf(endpoint);
  for (const given of forNextEndpoint([{}, { "accept-encoding": "gzip" }], 2)) {
    const [get, head] = [await send("GET", url, given), await send("HEAD", url, given)];
    // HEAD of the legacy start creates no report, so its response lacks these headers of GET.
    const unknown =
      endpoint.operationId === "startReport" ? ["location", "link", "retry-after", "content-encoding"] : [];
    const omitted = new Set(["date", "content-length", "transfer-encoding", "connection", "keep-alive", ...unknown]);
    const namesOf = ({ headers: all }: Answer) =>
      Object.keys(all)
        .filter((name) => !omitted.has(name))
        .toSorted();
    expect([head.status, namesOf(head)]).toEqual([get.status, namesOf(get)]);
    for (const name of ["content-type", "vary", "cache-control", "etag"])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  }
});
